// The wall clock, and the two probes beside it.

using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Tare;

internal static class Clock
{
    /// <summary>Fully optimised at the first call, where the runtime knows it: nothing of a measurement may be compiled a second time.</summary>
    internal const MethodImplOptions Optimised = (MethodImplOptions)512;

    private static readonly double TickNs = 1e9 / Stopwatch.Frequency;

    private static readonly bool IsInNs = Stopwatch.Frequency == 1000000000;

    /// <summary>Now, in steps of <see cref="Ns"/>.</summary>
    [MethodImpl(Optimised | MethodImplOptions.NoInlining)]
    internal static long Now() => Stopwatch.GetTimestamp();

    /// <summary>From steps of the clock to nanoseconds.</summary>
    [MethodImpl(Optimised)]
    internal static double Ns(long ticks) => IsInNs ? ticks : ticks * TickNs;

    /// <summary>The least difference above 0 between two lengths of pairs of reads.</summary>
    internal static double Resolution()
    {
        var lengths = new long[1000];
        for (var i = 0; i < lengths.Length; i++)
        {
            var begin = Now();
            lengths[i] = Now() - begin;
        }
        Array.Sort(lengths);
        var least = long.MaxValue;
        for (var i = 1; i < lengths.Length; i++)
        {
            var step = lengths[i] - lengths[i - 1];
            least = step > 0 && step < least ? step : least;
        }
        return Ns(least == long.MaxValue ? Math.Max(1, lengths[0]) : least);
    }
}

/// <summary>
/// Loops of known work. Additions alone would be folded; an exclusive or between them prevents it, and the operand comes from a
/// field that might change.
/// </summary>
internal static class Probes
{
    /// <summary>Steps of the clock probe, each of which waits for the one before: a cycle each.</summary>
    internal const int ClockSteps = ClockTurns * 32;

    /// <summary>Turns of its loop.</summary>
    internal const int ClockTurns = 512;

    /// <summary>Steps of the width probe, six of which never wait for each other.</summary>
    internal const int WidthSteps = 16320;

    private static ulong operand = 0x9E3779B97F4A7C15;
    private static ulong sink;

    /// <summary>No core does more steps in a cycle: what seems to shows that the clock probe is not in its final code.</summary>
    private const double StepsMax = 10;

    /// <summary>How long the runtime has for it at most, ms.</summary>
    private const int FinalCodeMs = 500;

    /// <summary>Runs both until they are in their final code.</summary>
    internal static void Warm()
    {
        for (var ms = 0; ms < FinalCodeMs && Steps() > StepsMax; ms++)
        {
            Thread.Sleep(1);
        }
    }

    /// <summary>Steps of the width probe in a cycle of the clock probe, from the shortest of some readings of each.</summary>
    private static double Steps()
    {
        long chain = long.MaxValue, width = long.MaxValue;
        for (var i = 0; i < 5; i++)
        {
            var begin = Clock.Now();
            Chain(ClockTurns);
            var between = Clock.Now();
            Width();
            var end = Clock.Now();
            chain = Math.Min(chain, between - begin);
            width = Math.Min(width, end - between);
        }
        return width <= 0 ? 0 : (double)WidthSteps * chain / ((double)ClockSteps * width);
    }

    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    internal static void Chain(int turns)
    {
        ulong k = operand, x = sink;
        for (var turn = 0; turn < turns; turn++)
        {
            x += k; x ^= k; x += k; x ^= k; x += k; x ^= k; x += k; x ^= k;
            x += k; x ^= k; x += k; x ^= k; x += k; x ^= k; x += k; x ^= k;
            x += k; x ^= k; x += k; x ^= k; x += k; x ^= k; x += k; x ^= k;
            x += k; x ^= k; x += k; x ^= k; x += k; x ^= k; x += k; x ^= k;
        }
        sink = x;
    }

    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    internal static void Width()
    {
        ulong k = operand;
        ulong a = sink, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5;
        for (var turn = 0; turn < WidthSteps / 48; turn++)
        {
            a += k; b += k; c += k; d += k; e += k; f += k;
            a ^= k; b ^= k; c ^= k; d ^= k; e ^= k; f ^= k;
            a += k; b += k; c += k; d += k; e += k; f += k;
            a ^= k; b ^= k; c ^= k; d ^= k; e ^= k; f ^= k;
            a += k; b += k; c += k; d += k; e += k; f += k;
            a ^= k; b ^= k; c ^= k; d ^= k; e ^= k; f ^= k;
            a += k; b += k; c += k; d += k; e += k; f += k;
            a ^= k; b ^= k; c ^= k; d ^= k; e ^= k; f ^= k;
        }
        sink = a ^ b ^ c ^ d ^ e ^ f;
    }
}
