// The diagnoser `threading`: how often a thread had to wait for a lock, and what the pool of threads did. Counters of .NET Core 3.0 and
// later, which are found by name, since netstandard2.0 does not have them.

using System;
using System.Diagnostics;
using System.Threading;

namespace Tare
{
    internal sealed class ThreadingPass : Pass
    {
        /// <summary>Its name.</summary>
        internal const string Called = "threading";

        private static readonly Func<long> Contentions = Getter(typeof(Monitor), "LockContentionCount");
        private static readonly Func<long> Completed = Getter(typeof(ThreadPool), "CompletedWorkItemCount");
        private static readonly Func<long> Pending = Getter(typeof(ThreadPool), "PendingWorkItemCount");

        private double[] contentions;
        private double[] items;

        internal override string Name => Called;

        internal override string Missing => Contentions != null && Completed != null
            ? null : Runtime.Name + " does not count lock contentions and completed work items: .NET Core 3.0 and later do";

        protected override Json[] Metrics => new[] { Metric("lock_contentions"), Metric("work_items") };

        /// <summary>
        /// Waits until the pool has nothing left to do, or for a moment where it always has. A work item is counted after it has
        /// told the body that it is done, and a body may leave some behind: without this they would be those of the next iteration, or of none.
        /// </summary>
        internal static void Settle()
        {
            const int MostMs = 100, Quiet = 3;
            var watch = Stopwatch.StartNew();
            long last = -1;
            for (var quiet = 0; Pending != null && quiet < Quiet && watch.ElapsedMilliseconds < MostMs;)
            {
                var now = Completed();
                quiet = Pending() == 0 && now == last ? quiet + 1 : 0;
                last = now;
                Thread.Sleep(1);
            }
        }

        protected override void Begin(int iterations)
        {
            contentions = new double[iterations];
            items = new double[iterations];
            Settle();
        }

        protected override void Before(int iteration)
        {
            // What the lead-in, the last iteration and the set-up left behind. The runtime may use the pool to read the first counter.
            contentions[iteration] = -Contentions();
            Settle();
            items[iteration] = -Completed();
        }

        protected override void After(int iteration)
        {
            Settle();
            items[iteration] += Completed();
            contentions[iteration] += Contentions();
        }

        protected override Json Values()
        {
            return new Json().Add("lock_contentions", contentions).Add("work_items", items);
        }

        private static Func<long> Getter(Type type, string name)
        {
            var getter = type.GetProperty(name)?.GetGetMethod();
            return getter == null ? null : (Func<long>)getter.CreateDelegate(typeof(Func<long>));
        }
    }
}
