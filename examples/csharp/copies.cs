// Copies of arrays depend on where the arrays lie. Every process has another layout of its memory, so that the interval shows it; a tool
// that measures one process shows one draw of the lot.

using System;
using Tare;

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
