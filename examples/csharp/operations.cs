// Four increments, once in a loop, whose own steps are measured too, and once written out, where an operation is one increment.

using Tare;

public class Operations
{
    private int count;

    [Benchmark(Baseline = true, OperationsPerInvoke = 4)]
    public void Loop()
    {
        for (var i = 0; i < 4; i++)
        {
            count++;
        }
    }

    [Benchmark(OperationsPerInvoke = 4)]
    public void WrittenOut()
    {
        count++;
        count++;
        count++;
        count++;
    }
}
