// Jobs in code: what a process can be started with is carried over, and what has no effect is named.

using System;
using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Environments;

namespace BenchmarkDotNet.Jobs
{
    public enum RuntimeMoniker
    {
        HostProcess, NotRecognized, Mono, Net461, Net462, Net47, Net471, Net472, Net48, Net481, NetCoreApp20, NetCoreApp21, NetCoreApp22, NetCoreApp30,
        NetCoreApp31, Net50, Net60, Net70, Net80, Net90, Net10_0, Net11_0, NativeAot60, NativeAot70, NativeAot80, NativeAot90, NativeAot10_0, NativeAot11_0,
        Wasm, WasmNet50, WasmNet60, WasmNet70, WasmNet80, WasmNet90, WasmNet10_0, WasmNet11_0, MonoAOTLLVM, MonoAOTLLVMNet60, MonoAOTLLVMNet70, MonoAOTLLVMNet80,
        MonoAOTLLVMNet90, MonoAOTLLVMNet10_0, MonoAOTLLVMNet11_0, Mono60, Mono70, Mono80, Mono90, Mono10_0, Mono11_0, R2R80, R2R90, R2R10_0, R2R11_0,
    }

    public class EnvironmentVariable
    {
        public EnvironmentVariable(string key, string value)
        {
            Key = key;
            Value = value;
        }

        public string Key { get; }

        public string Value { get; }
    }

    /// <summary>A set of settings; every method gives a new one.</summary>
    public sealed class Job
    {
        public static readonly Job Default = new Job("Default");
        public static readonly Job Dry = new Job("Dry", RunMode.Dry);
        public static readonly Job ShortRun = new Job("ShortRun");
        public static readonly Job MediumRun = new Job("MediumRun");
        public static readonly Job LongRun = new Job("LongRun");
        public static readonly Job VeryLongRun = new Job("VeryLongRun");
        public static readonly Job InProcess = new Job("InProcess");
        public static readonly Job InProcessDontLogOutput = InProcess;

        // The names before version 0.12.
        public static readonly Job Clr = new Job("Clr").WithRuntime(Runtime.Clr);
        public static readonly Job Core = new Job("Core");
        public static readonly Job Mono = new Job("Mono").WithRuntime(Runtime.Mono);
        public static readonly Job RyuJitX64 = new Job("RyuJitX64"), RyuJitX86 = new Job("RyuJitX86"), LegacyJitX64 = new Job("LegacyJitX64"), LegacyJitX86 = new Job("LegacyJitX86");

        public Job()
            : this((string)null)
        {
        }

        public Job(string id)
        {
            Id = id ?? string.Empty;
        }

        public Job(params JobMode[] modes)
            : this(null, modes)
        {
        }

        public Job(string id, params JobMode[] modes)
            : this(id)
        {
            foreach (var mode in modes)
            {
                Take(mode);
            }
        }

        public Job(Job other)
            : this(other.Id, other)
        {
        }

        public Job(string id, Job other)
            : this(id)
        {
            Take(other.Environment);
            Take(other.Run);
            Take(other.Meta);
        }

        public string Id { get; }

        public EnvironmentMode Environment { get; } = new EnvironmentMode();

        public RunMode Run { get; } = new RunMode();

        public AccuracyMode Accuracy { get; } = new AccuracyMode();

        public InfrastructureMode Infrastructure { get; } = new InfrastructureMode();

        public MetaMode Meta { get; } = new MetaMode();

        public string DisplayInfo => Name();

        public string ResolvedId => Name();

        public override string ToString() => Name();

        public Job WithId(string id) => new Job(id, this);

        public Job Apply(Job other)
        {
            var job = new Job(other.Id.Length > 0 && other.Id != "Default" && !other.Meta.IsMutator ? other.Id : Id, this);
            job.Take(other.Environment);
            job.Take(other.Run);
            job.Take(other.Meta);
            return job;
        }

        public Job UnfreezeCopy() => new Job(Id, this);

        public Job Freeze() => this;

        /// <summary>A copy with a change.</summary>
        internal Job With(Action<Job> change)
        {
            var job = new Job(Id, this);
            change(job);
            return job;
        }

        /// <summary>As Tare has it.</summary>
        internal Tare.JobAttribute Carried()
        {
            var variables = Environment.Gc.Variables().SelectMany(pair => new[] { pair.Key, pair.Value });
            var own = Environment.EnvironmentVariables.SelectMany(v => new[] { v.Key, v.Value });
            return new CarriedAttribute(this, variables.Concat(own).ToArray());
        }

        /// <summary>The name that was given, or what is set.</summary>
        private string Name()
        {
            var settings = new List<string>();
            if (Environment.Runtime != null)
            {
                settings.Add(Environment.Runtime.Name);
            }
            if (Environment.Platform != Platform.AnyCpu)
            {
                settings.Add(Environment.Platform.ToString());
            }
            settings.AddRange(Environment.Gc.Values.Select(pair => pair.Key + "=" + pair.Value));
            settings.AddRange(Environment.EnvironmentVariables.Select(v => v.Key + "=" + v.Value));
            var isBare = Id.Length == 0 || Id == "Default";
            var text = string.Join(",", settings);
            return isBare ? (text.Length > 0 ? text : "Default") : Id;
        }

        private void Take(JobMode mode)
        {
            switch (mode)
            {
                case EnvironmentMode environment:
                    Environment.TakeAll(environment);
                    break;
                case GcMode gc:
                    Environment.Gc.Take(gc);
                    break;
                case RunMode run:
                    Run.Take(run);
                    break;
                case MetaMode meta:
                    Meta.Take(meta);
                    break;
            }
        }

        private sealed class CarriedAttribute : Tare.JobAttribute
        {
            internal CarriedAttribute(Job job, string[] environment)
                : base(job.Name(), environment)
            {
                Runtime = job.Environment.RuntimeWord();
                Baseline = job.Meta.Baseline;
                Settings.AddRange(Attributes.JobConfigBaseAttribute.Of(job.Run.RunStrategy, job.Run.InvocationCount));
                if (job.Run.Has("MemoryRandomization"))
                {
                    Settings.Add(new Tare.MemoryRandomizationAttribute(job.Run.MemoryRandomization));
                }
            }
        }
    }

    /// <summary>Changes of a job, each of which gives a new one.</summary>
    public static class JobExtensions
    {
        public static Job WithStrategy(this Job job, RunStrategy value) => job.With(j => j.Run.RunStrategy = value);

        public static Job WithInvocationCount(this Job job, long count) => job.With(j => j.Run.InvocationCount = count);

        public static Job WithInvocationCount(this Job job, int count) => job.WithInvocationCount((long)count);

        public static Job RunOncePerIteration(this Job job) => job.WithInvocationCount(1L);

        public static Job WithRuntime(this Job job, Runtime runtime) => job.With(j => j.Environment.Runtime = runtime);

        public static Job WithGcServer(this Job job, bool value) => job.With(j => j.Environment.Gc.Server = value);

        public static Job WithGcConcurrent(this Job job, bool value) => job.With(j => j.Environment.Gc.Concurrent = value);

        public static Job WithGcRetainVm(this Job job, bool value) => job.With(j => j.Environment.Gc.RetainVm = value);

        public static Job WithGcCpuGroups(this Job job, bool value) => job.With(j => j.Environment.Gc.CpuGroups = value);

        public static Job WithGcAllowVeryLargeObjects(this Job job, bool value) => job.With(j => j.Environment.Gc.AllowVeryLargeObjects = value);

        public static Job WithHeapCount(this Job job, int count) => job.With(j => j.Environment.Gc.HeapCount = count);

        public static Job WithHeapAffinitizeMask(this Job job, int mask) => job.With(j => j.Environment.Gc.HeapAffinitizeMask = mask);

        public static Job WithNoAffinitize(this Job job, bool value) => job.With(j => j.Environment.Gc.NoAffinitize = value);

        public static Job WithGcMode(this Job job, GcMode mode) => job.With(j => j.Environment.Replace(mode));

        public static Job WithEnvironmentVariable(this Job job, string key, string value) => job.WithEnvironmentVariable(new EnvironmentVariable(key, value));

        public static Job WithEnvironmentVariable(this Job job, EnvironmentVariable variable) => job.With(j => j.Environment.SetEnvironmentVariable(variable));

        public static Job WithEnvironmentVariables(this Job job, params EnvironmentVariable[] variables) => job.With(j => j.Environment.EnvironmentVariables = variables);

        public static Job WithoutEnvironmentVariables(this Job job) => job.With(j => j.Environment.EnvironmentVariables = new EnvironmentVariable[0]);

        public static Job WithMemoryRandomization(this Job job, bool enable = true) => job.With(j => j.Run.MemoryRandomization = enable);

        public static Job WithBaseline(this Job job, bool value) => job.With(j => j.Meta.Baseline = value);

        public static Job AsBaseline(this Job job) => job.WithBaseline(true);

        public static Job WithIsDefault(this Job job, bool value) => job;

        public static Job AsDefault(this Job job, bool value = true) => job;

        public static Job AsMutator(this Job job) => job.With(j => j.Meta.IsMutator = true);

        public static Job WithLaunchCount(this Job job, int count) => job.With(j => j.Run.LaunchCount = count);

        public static Job WithWarmupCount(this Job job, int count) => job.With(j => j.Run.WarmupCount = count);

        public static Job WithMinWarmupCount(this Job job, int count) => job.With(j => j.Run.MinWarmupIterationCount = count);

        public static Job WithMaxWarmupCount(this Job job, int count) => job.With(j => j.Run.MaxWarmupIterationCount = count);

        public static Job WithIterationCount(this Job job, int count) => job.With(j => j.Run.IterationCount = count);

        public static Job WithTargetCount(this Job job, int count) => job.With(j => j.Run.TargetCount = count);

        public static Job WithMinIterationCount(this Job job, int count) => job.With(j => j.Run.MinIterationCount = count);

        public static Job WithMaxIterationCount(this Job job, int count) => job.With(j => j.Run.MaxIterationCount = count);

        public static Job WithUnrollFactor(this Job job, int factor) => job.With(j => j.Run.UnrollFactor = factor);

        public static Job WithIterationTime(this Job job, object time) => job.With(j => j.Run.IterationTime = time);

        public static Job WithMinIterationTime(this Job job, object time) => job.With(j => j.Accuracy.MinIterationTime = time);

        public static Job WithMaxRelativeError(this Job job, double value) => job.With(j => j.Accuracy.MaxRelativeError = value);

        public static Job WithMaxAbsoluteError(this Job job, object value) => job.With(j => j.Accuracy.MaxAbsoluteError = value);

        public static Job WithMinInvokeCount(this Job job, int count) => job.With(j => j.Accuracy.MinInvokeCount = count);

        public static Job WithEvaluateOverhead(this Job job, bool value) => job.With(j => j.Accuracy.EvaluateOverhead = value);

        public static Job WithOutlierMode(this Job job, object mode) => job.With(j => j.Accuracy.OutlierMode = mode);

        public static Job WithAnalyzeLaunchVariance(this Job job, bool value) => job.With(j => j.Accuracy.AnalyzeLaunchVariance = value);

        public static Job WithJitTieringMode(this Job job, JitTieringMode mode) => job.With(j => j.Run.JitTieringMode = mode);

        public static Job WithConsumeTasksSynchronously(this Job job, bool value) => job.With(j => j.Run.ConsumeTasksSynchronously = value);

        public static Job WithGcForce(this Job job, bool value) => job.With(j => j.Environment.Gc.Force = value);

        public static Job WithPowerPlan(this Job job, object plan) => job.With(j => j.Environment.PowerPlanMode = null);

        public static Job DontEnforcePowerPlan(this Job job) => job;

        public static Job WithAffinity(this Job job, IntPtr affinity) => job.With(j => j.Environment.Affinity = affinity);

        public static Job WithArguments(this Job job, IReadOnlyList<Argument> arguments) => job.With(j => j.Infrastructure.Arguments = arguments);

        public static Job WithMsBuildArguments(this Job job, params string[] arguments) => job.With(j => j.Infrastructure.Arguments = null);

        public static Job WithCustomBuildConfiguration(this Job job, string name) => job.With(j => j.Infrastructure.BuildConfiguration = name);

        public static Job WithEngineFactory(this Job job, object factory) => job.With(j => j.Infrastructure.EngineFactory = factory);

        public static Job WithClock(this Job job, object clock) => job.With(j => j.Infrastructure.Clock = clock);

        public static Job WithNuGet(this Job job, string name, string version = null, object source = null, bool prerelease = false) => job.With(j => j.Infrastructure.NuGetReferences = null);

        public static Job WithNuGet(this Job job, object references) => job.With(j => j.Infrastructure.NuGetReferences = null);

        public static Job WithToolchain(this Job job, object toolchain) => job.With(j => j.Infrastructure.Toolchain = toolchain);

        public static Job WithPlatform(this Job job, Platform platform) => job.With(j => j.Environment.Platform = platform);

        public static Job WithLargeAddressAware(this Job job, bool value = true) => job.With(j => j.Environment.LargeAddressAware = value);

        public static Job WithJit(this Job job, Jit jit) => job.With(j => j.Environment.Jit = jit);

        // The names before version 0.12.
        public static Job With(this Job job, RunStrategy value) => job.WithStrategy(value);

        public static Job With(this Job job, params EnvironmentVariable[] variables) => job.WithEnvironmentVariables(variables);

        public static Job With(this Job job, Runtime runtime) => job.WithRuntime(runtime);

        public static Job With(this Job job, GcMode mode) => job.WithGcMode(mode);

        public static Job WithRemoveOutliers(this Job job, bool value) => job.WithOutlierMode(value);

        public static Job With(this Job job, Platform platform) => job.WithPlatform(platform);

        public static Job With(this Job job, Jit jit) => job.WithJit(jit);

        public static Job With(this Job job, object toolchain) => job.WithToolchain(toolchain);
    }
}
