// Bodies of known length: an empty method, and chains of dependent multiplications. A multiplication takes three cycles on every
// x86-64 processor of the last fifteen years.

using System.Runtime.CompilerServices;
using Tare;

public class Truth
{
    private ulong factor = 0x9E3779B97F4A7C15;
    private ulong value = 3;

    [Benchmark]
    public void Nothing()
    {
    }

    [Benchmark]
    public ulong Multiply20()
    {
        return value = Twenty(value, factor);
    }

    [Benchmark]
    public ulong Multiply100()
    {
        ulong x = value, k = factor;
        x = Twenty(x, k);
        x = Twenty(x, k);
        x = Twenty(x, k);
        x = Twenty(x, k);
        x = Twenty(x, k);
        return value = x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Twenty(ulong x, ulong k)
    {
        x *= k; x *= k; x *= k; x *= k; x *= k;
        x *= k; x *= k; x *= k; x *= k; x *= k;
        x *= k; x *= k; x *= k; x *= k; x *= k;
        x *= k; x *= k; x *= k; x *= k; x *= k;
        return x;
    }
}
