// Jobs as attributes.

using System;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;

namespace BenchmarkDotNet.Attributes
{
    public abstract class JobConfigBaseAttribute : Tare.JobAttribute
    {
        protected JobConfigBaseAttribute(string id, RunStrategy? strategy = null, int invocationCount = -1)
            : base(id)
        {
            if (strategy == RunStrategy.Monitoring || strategy == RunStrategy.ColdStart)
            {
                Settings.Add(new Tare.SettingAttribute(strategy == RunStrategy.Monitoring ? Tare.Strategy.Monitoring : Tare.Strategy.ColdStart));
            }
            if (invocationCount > 0)
            {
                Settings.Add(new Tare.SettingAttribute(invocationCount));
            }
        }
    }

    public class SimpleJobAttribute : JobConfigBaseAttribute
    {
        public SimpleJobAttribute(
            int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id ?? "SimpleJob", null, invocationCount)
        {
        }

        public SimpleJobAttribute(
            RunStrategy runStrategy, int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id ?? runStrategy.ToString(), runStrategy, invocationCount)
        {
        }

        public SimpleJobAttribute(
            RuntimeMoniker runtimeMoniker, int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1, string id = null, bool baseline = false)
            : base(id ?? runtimeMoniker.ToString(), null, invocationCount)
        {
        }

        public SimpleJobAttribute(
            RunStrategy runStrategy, RuntimeMoniker runtimeMoniker, int launchCount = -1, int warmupCount = -1, int iterationCount = -1, int invocationCount = -1,
            string id = null, bool baseline = false)
            : base(id ?? runtimeMoniker.ToString(), runStrategy, invocationCount)
        {
        }
    }

    public class DryJobAttribute : JobConfigBaseAttribute
    {
        public DryJobAttribute() : base("Dry", RunStrategy.ColdStart) { }

        public DryJobAttribute(RuntimeMoniker runtimeMoniker) : base("Dry", RunStrategy.ColdStart) { }
    }

    public class ShortRunJobAttribute : JobConfigBaseAttribute
    {
        public ShortRunJobAttribute() : base("ShortRun") { }

        public ShortRunJobAttribute(RuntimeMoniker runtimeMoniker) : base("ShortRun") { }
    }

    public class MediumRunJobAttribute : JobConfigBaseAttribute
    {
        public MediumRunJobAttribute() : base("MediumRun") { }

        public MediumRunJobAttribute(RuntimeMoniker runtimeMoniker) : base("MediumRun") { }
    }

    public class LongRunJobAttribute : JobConfigBaseAttribute
    {
        public LongRunJobAttribute() : base("LongRun") { }

        public LongRunJobAttribute(RuntimeMoniker runtimeMoniker) : base("LongRun") { }
    }

    public class VeryLongRunJobAttribute : JobConfigBaseAttribute
    {
        public VeryLongRunJobAttribute() : base("VeryLongRun") { }
    }

    public class MonoJobAttribute : JobConfigBaseAttribute
    {
        public MonoJobAttribute(bool baseline = false) : base("Mono") { }

        public MonoJobAttribute(string name, string path, bool baseline = false) : base(name) { }
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

    /// <summary>Allocated bytes are counted in every visit.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
    public class MemoryDiagnoserAttribute : Attribute
    {
        public MemoryDiagnoserAttribute(bool displayGenColumns = true)
        {
        }
    }

    public class GcServerAttribute : Tare.SettingAttribute
    {
        public GcServerAttribute(bool value = false) : base("DOTNET_gcServer", value ? "1" : "0", "COMPlus_gcServer") { }
    }

    public class GcConcurrentAttribute : Tare.SettingAttribute
    {
        public GcConcurrentAttribute(bool value = false) : base("DOTNET_gcConcurrent", value ? "1" : "0", "COMPlus_gcConcurrent") { }
    }

    public class InvocationCountAttribute : Tare.SettingAttribute
    {
        public InvocationCountAttribute(int invocationCount, int unrollFactor = 1) : base(invocationCount) { }
    }

    public class RunOncePerIterationAttribute : Tare.SettingAttribute
    {
        public RunOncePerIterationAttribute() : base(1) { }
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
        private readonly IConfig config;

        public ConfigAttribute(Type type)
        {
            config = (IConfig)Activator.CreateInstance(type, true);
        }

        protected override Tare.JobAttribute[] Jobs => Carried.Jobs(config);
    }
}
