// What the diagnosers of threads and of exceptions count; how much of it is in csharp_test.py.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Tare;

[ThreadingDiagnoser]
[ExceptionDiagnoser]
public class Counted
{
    private readonly object gate = new object();

    [Benchmark]
    public int Nothing()
    {
        lock (gate)
        {
            return 1;
        }
    }

    [Benchmark]
    public int Catches()
    {
        var caught = 0;
        while (caught < 2)
        {
            try
            {
                throw new InvalidOperationException("on purpose");
            }
            catch (InvalidOperationException)
            {
                caught++;
            }
        }
        return caught;
    }

    [Benchmark]
    public void Queues()
    {
        using (var left = new CountdownEvent(3))
        {
            for (var i = 0; i < 3; i++)
            {
                ThreadPool.QueueUserWorkItem(_ => left.Signal());
            }
            left.Wait();
        }
    }

    /// Does not wait for what it starts, which also throws.
    [Benchmark]
    public void Leaves()
    {
        ThreadPool.QueueUserWorkItem(_ =>
        {
            try
            {
                throw new InvalidOperationException("on purpose");
            }
            catch (InvalidOperationException)
            {
            }
        });
    }

    /// A thread has the lock until this one was refused it, once.
    [Benchmark]
    public bool Contends()
    {
        using (var taken = new ManualResetEventSlim())
        using (var refused = new ManualResetEventSlim())
        {
            var other = new Thread(() =>
            {
                lock (gate)
                {
                    taken.Set();
                    refused.Wait();
                }
            });
            other.Start();
            taken.Wait();
            var had = Monitor.TryEnter(gate, 1);
            refused.Set();
            other.Join();
            return had;
        }
    }
}

public class Unasked
{
    [Benchmark]
    public int Nothing() => 1;
}

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
