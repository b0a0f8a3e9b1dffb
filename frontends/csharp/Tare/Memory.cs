// What the runtime counts of memory. Newer counters are found by name, since netstandard2.0 does not have them.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Tare
{
    internal static class Memory
    {
        private static readonly Func<long> OfThread = Find<Func<long>>(typeof(GC), "GetAllocatedBytesForCurrentThread");
        private static readonly Func<bool, long> OfAll = Find<Func<bool, long>>(typeof(GC), "GetTotalAllocatedBytes", typeof(bool));
        private static readonly Func<bool, long> Methods =
            Find<Func<bool, long>>(typeof(object).Assembly.GetType("System.Runtime.JitInfo"), "GetCompiledMethodCount", typeof(bool));

        private static readonly MethodInfo Info = typeof(GC).GetMethod("GetGCMemoryInfo", Type.EmptyTypes);
        private static readonly PropertyInfo Committed = Info?.ReturnType.GetProperty("TotalCommittedBytes");

        /// <summary>Bytes of garbage that are made at most, and of each piece.</summary>
        private const long YoungMax = 512L << 20;
        private const int YoungBlock = 8000;

        /// <summary>Where the garbage is seen: a compiler that puts what nobody sees on the stack (.NET 10) must not do so with it.</summary>
        private static volatile byte[] seen;

        /// <summary>Generations of which collections are counted.</summary>
        internal static readonly int Generations = GC.MaxGeneration + 1;

        internal static bool HasAllocated => OfAll != null || OfThread != null;

        internal static bool HasCompilations => Methods != null && !Ahead.IsHere;

        /// <summary>
        /// Bytes that all threads have allocated, or this one where the runtime does not count the others. To count exactly it stops them for
        /// some microseconds: never between two readings of a clock.
        /// </summary>
        [MethodImpl(Clock.Optimised)]
        internal static long Allocated()
        {
            return OfAll == null ? OfThread() : OfAll(true);
        }

        /// <summary>Methods that were compiled in this process.</summary>
        [MethodImpl(Clock.Optimised)]
        internal static long Compilations()
        {
            return Methods(false);
        }

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
        internal static long Live()
        {
            return GC.GetTotalMemory(false) + (Native.Allocated() ?? BesideCollector() ?? 0);
        }

        /// <summary>Memory of the process that the collector does not hold, as of the last collection (.NET 5 and later).</summary>
        private static long? BesideCollector()
        {
            if (Committed == null)
            {
                return null;
            }
            var committed = (long)Committed.GetValue(Info.Invoke(null, null), null);
            return Math.Max(0, Environment.WorkingSet - committed);
        }

        private static T Find<T>(Type type, string name, params Type[] parameters)
            where T : class
        {
            var method = type?.GetMethod(name, BindingFlags.Public | BindingFlags.Static, null, parameters, null);
            return method == null ? null : (T)(object)method.CreateDelegate(typeof(T));
        }
    }
}
