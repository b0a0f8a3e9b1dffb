// What is counted beside the time: bytes, collections, contentions, work items, exceptions.

using System;
using System.Linq;
using System.Threading;

namespace Tare.Tests;

public class CountTests
{
    public class Bytes
    {
        private byte[] kept;

        [Benchmark] public byte[] Eight() => new byte[8];
        [Benchmark] public byte[] SixtyFour() => new byte[64];
        [Benchmark] public void Nothing() { }

        [Benchmark]
        public void Elsewhere()
        {
            var thread = new Thread(() => kept = new byte[1000000]);
            thread.Start();
            thread.Join();
        }
    }

    [Fact]
    public void BytesAreExact()
    {
        var program = new Program(typeof(Bytes));
        foreach (var (name, bytes) in new[] { ("Eight", 32), ("SixtyFour", 88), ("Nothing", 0) })
        {
            program.Open(name);
            var metrics = program.Ask("measure workload 3 1000 1")["metrics"];
            Assert.Equal(Enumerable.Repeat(1000.0 * bytes, 3), metrics["allocated_bytes"].Numbers());
            Assert.Equal([0, 0, 0], metrics["collections_2"].Numbers());
            program.Ask("close");
        }
    }

    [Fact]
    public void BytesOfOtherThreadsCount()
    {
        var program = new Program(typeof(Bytes));
        program.Open("Elsewhere");
        foreach (var bytes in program.Ask("measure workload 3 10 1")["metrics"]["allocated_bytes"].Numbers())
        {
            // A thread that has ended may count the rest of its allocation context, 8 KB.
            Assert.InRange(bytes, 10000000, 10500000);
        }
    }

    public class Young
    {
        public object Kept;

        [Benchmark]
        public int Allocates()
        {
            Kept = new byte[8];
            return GC.CollectionCount(0);
        }

        [Benchmark] public int Computes() => GC.CollectionCount(0);
        [Benchmark, Setting(Strategy.Monitoring)] public int AllocatesInMonitoring() => Allocates();
    }

    [Fact]
    public void YoungMemoryIsFilledOnceWhereABodyAllocates()
    {
        bool IsFilled(string name)
        {
            var program = new Program(typeof(Young));
            program.Open(name);
            program.Ask("measure workload 1 1 0");
            // What the test itself allocates is less than what is left after a collection.
            GC.Collect();
            var before = int.Parse(program.Check());
            program.Ask("measure workload 1 1 0");
            return int.Parse(program.Check()) > before;
        }

        Assert.True(IsFilled("Allocates"));
        Assert.True(!IsFilled("Computes"), "it does not allocate");
        Assert.True(!IsFilled("AllocatesInMonitoring"), "each of its calls counts");
    }

    public class Counted
    {
        private readonly object gate = new();

        [Benchmark]
        public void Nothing()
        {
            lock (gate)
            {
            }
        }

        [Benchmark]
        public void Catches()
        {
            for (var i = 0; i < 2; i++)
            {
                Catch();
            }
        }

        [Benchmark]
        public void Queues()
        {
            using var left = new CountdownEvent(3);
            for (var i = 0; i < 3; i++)
            {
                ThreadPool.QueueUserWorkItem(_ => left.Signal());
            }
            left.Wait();
        }

        /// <summary>A thread has the lock until this one was refused it, once.</summary>
        [Benchmark]
        public void Contends()
        {
            using var taken = new ManualResetEventSlim();
            using var refused = new ManualResetEventSlim();
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
            Monitor.TryEnter(gate, 1);
            refused.Set();
            other.Join();
        }

        private static void Catch()
        {
            try
            {
                throw new InvalidOperationException("on purpose");
            }
            catch (InvalidOperationException)
            {
            }
        }
    }

    /// <summary>A metric of ten invocations in each of three iterations.</summary>
    private static double[] Diagnosed(string name, string diagnoser, string metric)
    {
        var program = new Program(typeof(Counted));
        program.Open(name);
        return program.Ask($"diagnose {diagnoser} 3 10 5")["metrics"][metric].Numbers();
    }

    [Fact]
    public void ExceptionsAreCounted()
    {
        Assert.Equal([0, 0, 0], Diagnosed("Nothing", "exceptions", "thrown"));
        Assert.Equal([20, 20, 20], Diagnosed("Catches", "exceptions", "thrown"));
    }

    [Fact]
    public void WorkItemsAreCounted()
    {
        Assert.Equal(0, Diagnosed("Nothing", "threading", "work_items").Min());
        // 90 in all. The pool counts an item a moment after it was done: the last ones of an iteration may be missing on a busy machine.
        Assert.InRange(Diagnosed("Queues", "threading", "work_items").Sum(), 90 - (3 * 3), 200);
    }

    [Fact]
    public void ContentionsAreCounted()
    {
        Assert.Equal(0, Diagnosed("Nothing", "threading", "lock_contentions").Min());
        Assert.InRange(Diagnosed("Contends", "threading", "lock_contentions").Min(), 10, 1000);
    }
}
