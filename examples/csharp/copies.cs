// Copies of arrays depend on where the arrays lie. With `[MemoryRandomization]` each visit has new arrays elsewhere: the finding
// `memory-modes` lists the times that places lead to. Without it every process has one place, and the interval over processes shows it.

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
