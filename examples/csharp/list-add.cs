// What does it cost to append to a list? Appending to one list forever would make memory grow with the number of calls, and the work would
// change along the way. So each call fills a new list, and an operation is one append.

using System.Collections.Generic;
using Tare;

public class ListAdd
{
    private const int Count = 1000;

    [Benchmark(Baseline = true, OperationsPerInvoke = Count)]
    public List<int> Grows()
    {
        var list = new List<int>();
        for (var i = 0; i < Count; i++)
        {
            list.Add(i);
        }
        return list;
    }

    [Benchmark(OperationsPerInvoke = Count)]
    public List<int> HasRoom()
    {
        var list = new List<int>(Count);
        for (var i = 0; i < Count; i++)
        {
            list.Add(i);
        }
        return list;
    }

    // The loop itself, for comparison.
    [Benchmark(OperationsPerInvoke = Count)]
    public int LoopAlone()
    {
        var sum = 0;
        for (var i = 0; i < Count; i++)
        {
            sum ^= i;
        }
        return sum;
    }
}
