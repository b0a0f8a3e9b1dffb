// What the diagnosers of the host read of a body.

using System.Runtime.CompilerServices;
using Tare;

/// What its runtime tells of it: one call is inlined, the other is not, and that one allocates.
public class Told
{
    private int count;

    [Benchmark]
    public int Makes() => Twice(count) + Made().Length;

    private static int Twice(int number) => 2 * number;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[] Made() => new byte[64];
}

/// What they execute is known beside each other, and the last executes too much to be followed.
public class Stepped
{
    private readonly int turns = 1000;

    [Benchmark]
    public int Once() => Mixed(turns);

    [Benchmark]
    public int Twice() => Mixed(2 * turns);

    [Benchmark]
    public int Endless() => Mixed(1000 * turns);

    private static int Mixed(int turns)
    {
        var sum = 0;
        for (var i = 0; i < turns; i++)
        {
            sum = (sum ^ i) * 3;
        }
        return sum;
    }
}
