// What a call allocates, to the byte: an array has 24 bytes of its own on a 64-bit .NET Core, and a task of a truth value costs nothing from
// .NET 6 on, which keeps one of each.

using System.Threading.Tasks;
using Tare;

public class Memory
{
    [Benchmark(Baseline = true)]
    public byte[] EightBytes() => new byte[8];

    [Benchmark]
    public byte[] SixtyFourBytes() => new byte[64];

    [Benchmark]
    public Task<int> TaskOfNumber() => Task.FromResult(12345);

    [Benchmark]
    public Task<bool> TaskOfTruth() => Task.FromResult(true);

    [Benchmark]
    public void Nothing()
    {
    }
}
