// The diagnoser `memory`: what all threads of the process allocate. Counting exactly stops them, so it never runs beside timing.

using System;

namespace Tare
{
    internal static class MemoryPass
    {
        internal const string Name = "memory";

        internal static Json[] Declared()
        {
            return new[] { new Json().Add("name", Name).Add("metrics", Metrics()) };
        }

        internal static Json Run(Opened opened, int iterations, long invocations, long lead)
        {
            var allocated = new double[iterations];
            var live = new double[iterations];
            for (var i = lead > 0 ? -1 : 0; i < iterations; i++)
            {
                opened.IterationSetUp();
                if (i >= 0)
                {
                    live[i] = GC.GetTotalMemory(true);
                }
                var before = Memory.HasAllocatedByAll ? Memory.AllocatedByAll() : 0;
                try
                {
                    opened.Loop.Workload(opened.Loop.State, i < 0 ? lead : invocations);
                }
                catch (Exception thrown)
                {
                    throw new StepException("body", thrown);
                }
                if (i >= 0)
                {
                    allocated[i] = Memory.HasAllocatedByAll ? Memory.AllocatedByAll() - before : 0;
                    live[i] = Math.Max(0, GC.GetTotalMemory(true) - live[i]);
                }
                opened.IterationCleanUp();
            }
            var metrics = new Json();
            if (Memory.HasAllocatedByAll)
            {
                metrics.Add("allocated_bytes_all_threads", allocated);
            }
            return new Json("diagnosed").Add("metrics", metrics.Add("kept_bytes", live));
        }

        private static Json[] Metrics()
        {
            var kept = new Json().Add("name", "kept_bytes").Add("unit", "B").Add("better", "lower").Add("per", "iteration");
            var all = new Json().Add("name", "allocated_bytes_all_threads").Add("unit", "B").Add("better", "lower");
            return Memory.HasAllocatedByAll ? new[] { all, kept } : new[] { kept };
        }
    }
}
