// The diagnoser `memory`: what all threads of the process allocate. Counting exactly stops them, so it never runs beside timing.

using System;

namespace Tare
{
    internal sealed class MemoryPass : Pass
    {
        private const string All = "allocated_bytes_all_threads", Kept = "kept_bytes";

        private double[] allocated;
        private double[] live;
        private long before;

        internal override string Name => "memory";

        protected override Json[] Metrics
        {
            get
            {
                var kept = Metric(Kept, "B", "iteration");
                return Memory.HasAllocatedByAll ? new[] { Metric(All, "B"), kept } : new[] { kept };
            }
        }

        protected override void Begin(int iterations)
        {
            allocated = new double[iterations];
            live = new double[iterations];
        }

        protected override void Before(int iteration)
        {
            live[iteration] = GC.GetTotalMemory(true);
            before = Memory.HasAllocatedByAll ? Memory.AllocatedByAll() : 0;
        }

        protected override void After(int iteration)
        {
            allocated[iteration] = Memory.HasAllocatedByAll ? Memory.AllocatedByAll() - before : 0;
            live[iteration] = Math.Max(0, GC.GetTotalMemory(true) - live[iteration]);
        }

        protected override Json Values()
        {
            var values = new Json();
            if (Memory.HasAllocatedByAll)
            {
                values.Add(All, allocated);
            }
            return values.Add(Kept, live);
        }
    }
}
