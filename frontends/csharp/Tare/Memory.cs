// What the runtime counts of memory. netstandard2.0 does not have all of these counters, so they are found by name.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Tare;

internal static class Memory
{
    private static readonly Func<bool, long> AllocatedByAll = Find(typeof(GC), "GetTotalAllocatedBytes")!;
    private static readonly Func<bool, long>? Methods = Find(typeof(object).Assembly.GetType("System.Runtime.JitInfo"), "GetCompiledMethodCount");

    private static readonly MethodInfo? Info = typeof(GC).GetMethod("GetGCMemoryInfo", Type.EmptyTypes);
    private static readonly PropertyInfo? Committed = Info?.ReturnType.GetProperty("TotalCommittedBytes");

    /// <summary>Bytes of garbage that are made at most, and of each piece.</summary>
    private const long YoungMax = 512L << 20;
    private const int YoungBlock = 8000;

    /// <summary>Where the garbage is seen: a compiler that puts unseen objects on the stack (.NET 10) must not do so with it.</summary>
    private static volatile byte[]? seen;

    internal static bool HasCompilations => Methods != null && !Ahead.IsHere;

    /// <summary>
    /// Bytes that all threads have allocated. To count exactly the runtime stops them for some microseconds: never between two readings of a clock.
    /// </summary>
    [MethodImpl(Clock.Optimised)]
    internal static long Allocated() => AllocatedByAll(true);

    /// <summary>Methods that were compiled in this process.</summary>
    [MethodImpl(Clock.Optimised)]
    internal static long Compilations() => Methods!(false);

    /// <summary>
    /// Fills the memory that young objects come from once, to its first collection. The system gives that memory page by page, when it is
    /// used for the first time, which is no part of a body and takes up to a third of its time; from then on it is used again and again.
    /// How much it is depends on the cache of the processor: 128 MB where that is large.
    /// </summary>
    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    internal static void FillYoung()
    {
        var before = GC.CollectionCount(0);
        for (long filled = 0; filled < YoungMax && GC.CollectionCount(0) == before; filled += YoungBlock)
        {
            seen = new byte[YoungBlock];
        }
        seen = null;
    }

    internal static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    /// <summary>What lives after a collection: objects, and what native code holds, where that is known.</summary>
    internal static long Live() => GC.GetTotalMemory(false) + (Native.Allocated() ?? BesideCollector() ?? 0);

    /// <summary>Memory of the process that the collector does not hold, as of the last collection (.NET 5 and later).</summary>
    private static long? BesideCollector() =>
        Committed == null ? null : Math.Max(0, Environment.WorkingSet - (long)Committed.GetValue(Info!.Invoke(null, null), null)!);

    private static Func<bool, long>? Find(Type? type, string name) =>
        (Func<bool, long>?)type?.GetMethod(name, BindingFlags.Public | BindingFlags.Static, null, [typeof(bool)], null)?.CreateDelegate(typeof(Func<bool, long>));
}
