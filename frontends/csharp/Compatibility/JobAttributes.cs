// Jobs as attributes.

using System;
using System.Collections.Generic;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;

namespace BenchmarkDotNet.Attributes
{
    public abstract class JobConfigBaseAttribute : Tare.JobAttribute
    {
        protected JobConfigBaseAttribute(string id, RunStrategy? strategy = null, int invocationCount = -1)
            : this(id, null, strategy, invocationCount)
        {
        }

        private protected JobConfigBaseAttribute(
            string id, RuntimeMoniker? moniker, RunStrategy? strategy = null, int invocationCount = -1, int launchCount = -1, int warmupCount = -1, int iterationCount = -1, bool baseline = false)
            : base(id ?? (moniker == null ? null : Environments.Runtime.Of(moniker.Value)?.Name) ?? strategy?.ToString() ?? "SimpleJob")
        {
            Runtime = moniker == null ? null : Environments.Runtime.Of(moniker.Value)?.Word;
            Baseline = baseline;
            Settings.AddRange(Of(strategy ?? RunStrategy.Throughput, invocationCount));
            var noted = new RunMode();
            if (launchCount >= 0)
            {
                noted.LaunchCount = launchCount;
            }
            if (warmupCount >= 0)
            {
                noted.WarmupCount = warmupCount;
            }
            if (iterationCount >= 0)
            {
                noted.IterationCount = iterationCount;
            }
        }

        /// <summary>The settings of a strategy and a number of calls.</summary>
        internal static IEnumerable<Tare.SettingAttribute> Of(RunStrategy strategy, long invocations)
        {
            if (strategy != RunStrategy.Throughput)
            {
                yield return new Tare.SettingAttribute(strategy == RunStrategy.Monitoring ? Tare.Strategy.Monitoring : Tare.Strategy.ColdStart);
            }
            if (invocations > 0)
            {
                yield return new Tare.SettingAttribute((int)Math.Min(invocations, int.MaxValue));
            }
        }
    }

    /// <summary>The number of iterations was `targetCount` before version 0.13.2: a short one, so that it is meant only where it is named.</summary>
    public class SimpleJobAttribute : JobConfigBaseAttribute
    {
        public SimpleJobAttribute(
            int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id, null, null, invocationCount, launchCount, warmupCount, iterationCount, baseline)
        {
        }

        public SimpleJobAttribute(
            RunStrategy runStrategy, int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id, null, runStrategy, invocationCount, launchCount, warmupCount, iterationCount, baseline)
        {
        }

        public SimpleJobAttribute(
            RuntimeMoniker runtimeMoniker, int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id, runtimeMoniker, null, invocationCount, launchCount, warmupCount, iterationCount, baseline)
        {
        }

        public SimpleJobAttribute(
            RunStrategy runStrategy, RuntimeMoniker runtimeMoniker, int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1,
            string id = null, bool baseline = false)
            : base(id, runtimeMoniker, runStrategy, invocationCount, launchCount, warmupCount, iterationCount, baseline)
        {
        }

        public SimpleJobAttribute(short targetCount, int launchCount = -1, int warmupCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id, null, null, invocationCount, launchCount, warmupCount, targetCount, baseline)
        {
        }

        public SimpleJobAttribute(
            RunStrategy runStrategy, short targetCount, int launchCount = -1, int warmupCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id, null, runStrategy, invocationCount, launchCount, warmupCount, targetCount, baseline)
        {
        }

        public SimpleJobAttribute(
            RuntimeMoniker runtimeMoniker, short targetCount, int launchCount = -1, int warmupCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id, runtimeMoniker, null, invocationCount, launchCount, warmupCount, targetCount, baseline)
        {
        }
    }

    public class DryJobAttribute : JobConfigBaseAttribute
    {
        public DryJobAttribute() : base("Dry", RunStrategy.ColdStart) { }

        public DryJobAttribute(RuntimeMoniker runtimeMoniker, bool baseline = false) : base(null, runtimeMoniker, RunStrategy.ColdStart, baseline: baseline) { }
    }

    public class ShortRunJobAttribute : JobConfigBaseAttribute
    {
        public ShortRunJobAttribute() : base("ShortRun") { }

        public ShortRunJobAttribute(RuntimeMoniker runtimeMoniker, bool baseline = false) : base(null, runtimeMoniker, baseline: baseline) { }
    }

    public class MediumRunJobAttribute : JobConfigBaseAttribute
    {
        public MediumRunJobAttribute() : base("MediumRun") { }

        public MediumRunJobAttribute(RuntimeMoniker runtimeMoniker, bool baseline = false) : base(null, runtimeMoniker, baseline: baseline) { }
    }

    public class LongRunJobAttribute : JobConfigBaseAttribute
    {
        public LongRunJobAttribute() : base("LongRun") { }

        public LongRunJobAttribute(RuntimeMoniker runtimeMoniker, bool baseline = false) : base(null, runtimeMoniker, baseline: baseline) { }
    }

    public class VeryLongRunJobAttribute : JobConfigBaseAttribute
    {
        public VeryLongRunJobAttribute() : base("VeryLongRun") { }

        public VeryLongRunJobAttribute(RuntimeMoniker runtimeMoniker, bool baseline = false) : base(null, runtimeMoniker, baseline: baseline) { }
    }

    public class MonoJobAttribute : JobConfigBaseAttribute
    {
        public MonoJobAttribute(bool baseline = false) : base("Mono", RuntimeMoniker.Mono, baseline: baseline) { }

        public MonoJobAttribute(string name, string path, bool baseline = false) : base(name, RuntimeMoniker.Mono, baseline: baseline) { }
    }

    /// <summary>Before version 0.12, as the two that follow.</summary>
    public class ClrJobAttribute : JobConfigBaseAttribute
    {
        public ClrJobAttribute(bool baseline = false) : base("Clr", RuntimeMoniker.Net48, baseline: baseline) { }
    }

    public class CoreJobAttribute : JobConfigBaseAttribute
    {
        public CoreJobAttribute(bool baseline = false) : base("Core", null, baseline: baseline) { }
    }

    public class CoreRtJobAttribute : JobConfigBaseAttribute
    {
        public CoreRtJobAttribute(bool baseline = false) : base("CoreRT", RuntimeMoniker.NativeAot60, baseline: baseline) { }
    }

    public class RyuJitX64JobAttribute : JobConfigBaseAttribute
    {
        public RyuJitX64JobAttribute() : base("RyuJitX64") { }
    }

    public class RyuJitX86JobAttribute : JobConfigBaseAttribute
    {
        public RyuJitX86JobAttribute() : base("RyuJitX86") { }
    }

    public class LegacyJitX64JobAttribute : JobConfigBaseAttribute
    {
        public LegacyJitX64JobAttribute() : base("LegacyJitX64") { }
    }

    public class LegacyJitX86JobAttribute : JobConfigBaseAttribute
    {
        public LegacyJitX86JobAttribute() : base("LegacyJitX86") { }
    }

    public class MemoryDiagnoserAttribute : Tare.MemoryDiagnoserAttribute
    {
        public MemoryDiagnoserAttribute(bool displayGenColumns = true)
        {
        }
    }

    public class GcServerAttribute : Tare.GcServerAttribute
    {
        public GcServerAttribute(bool value = false) : base(value) { }
    }

    public class GcConcurrentAttribute : Tare.GcConcurrentAttribute
    {
        public GcConcurrentAttribute(bool value = false) : base(value) { }
    }

    public class InvocationCountAttribute : Tare.InvocationCountAttribute
    {
        public InvocationCountAttribute(int invocationCount, int unrollFactor = 1) : base(invocationCount) { }
    }

    public class RunOncePerIterationAttribute : Tare.RunOncePerIterationAttribute
    {
    }

    public class MemoryRandomizationAttribute : Tare.MemoryRandomizationAttribute
    {
        public MemoryRandomizationAttribute(bool enable = true, Mathematics.OutlierMode outlierMode = Mathematics.OutlierMode.DontRemove) : base(enable) { }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public class GroupBenchmarksByAttribute : Tare.GroupByCategoryAttribute
    {
        public GroupBenchmarksByAttribute(params BenchmarkLogicalGroupRule[] rules)
            : base(Array.IndexOf(rules, BenchmarkLogicalGroupRule.ByCategory) >= 0)
        {
        }
    }

    public class ConfigAttribute : Tare.JobSourceAttribute
    {
        public ConfigAttribute(Type type)
        {
            Config = (IConfig)Activator.CreateInstance(type, true);
        }

        public IConfig Config { get; }

        protected override Tare.JobAttribute[] Jobs => Carried.Jobs(Config);

        protected override Func<Tare.Candidate, bool>[] Filters => System.Linq.Enumerable.ToArray(Carried.Filters(Config));
    }
}
