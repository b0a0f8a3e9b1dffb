// The time to copy arrays depends on their addresses. With `[MemoryRandomization]` each visit has new arrays at other addresses, and the
// finding `memory-modes` lists the resulting times. Without it each process keeps its addresses, and the interval over processes covers the
// difference.

using System;
using Tare;

[MemoryRandomization]
public class Copies
{
    private byte[] from;
    private byte[] to;

    [Params(512, 4096)]
    public int Size;

    [GlobalSetup]
    public void Allocate()
    {
        from = new byte[Size];
        to = new byte[Size];
    }

    [Benchmark(Baseline = true)]
    public void Block() => Buffer.BlockCopy(from, 0, to, 0, Size);

    [Benchmark]
    public void Spans() => from.AsSpan().CopyTo(to);
}
