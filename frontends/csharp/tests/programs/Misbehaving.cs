// Benchmarks that go wrong, each in its own way: each is one failure by name, and the others are measured.

using System;
using System.Threading;
using Tare;

public class Misbehaving
{
    [Benchmark]
    public int Fine() => 1;

    [Benchmark]
    public int Overflows() => Deep(0);

    [Benchmark]
    public void Exits() => Environment.Exit(3);

    [Benchmark]
    public void FailsFast() => Environment.FailFast("no way on");

    [Benchmark]
    public void ThrowsInThread()
    {
        var thread = new Thread(() => throw new InvalidOperationException("in a thread"));
        thread.Start();
        thread.Join();
    }

    // Of what native code takes the collector knows nothing.
    [Benchmark]
    public void KeepsNative()
    {
        var block = System.Runtime.InteropServices.Marshal.AllocHGlobal(4096);
        System.Runtime.InteropServices.Marshal.WriteByte(block, 1);
    }

    [Benchmark]
    public void Throws() => throw new ArgumentException("wrong");

    [Benchmark]
    public void PrintsFrames() => Console.WriteLine("{\"reply\":\"bye\"}");

    private static int Deep(int n) => Deep(n + 1) + 1;
}
