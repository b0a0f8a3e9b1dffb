// What a call allocates, to the byte. An array has an overhead of 24 bytes on 64-bit .NET Core. A `Task<bool>` costs nothing since .NET 6,
// which caches one for each value.

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
