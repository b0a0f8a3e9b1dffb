// The diagnoser `memory`: what is still there after the calls. The collections that this takes never run beside timing.

using System;

namespace Tare
{
    internal sealed class MemoryPass : Pass
    {
        private const string Kept = "kept_bytes";
        private double[] live;

        internal override string Name => "memory";

        protected override Json[] Metrics => new[] { Metric(Kept, "B", "iteration") };

        protected override void Begin(int iterations)
        {
            live = new double[iterations];
        }

        protected override void Before(int iteration)
        {
            live[iteration] = GC.GetTotalMemory(true);
        }

        protected override void After(int iteration)
        {
            live[iteration] = Math.Max(0, GC.GetTotalMemory(true) - live[iteration]);
        }

        protected override Json Values()
        {
            return new Json().Add(Kept, live);
        }
    }
}
