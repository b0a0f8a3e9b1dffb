// Jobs in code and as attributes: what a process can be started with is carried over.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Environments;

namespace BenchmarkDotNet.Jobs
{
    public enum RuntimeMoniker
    {
        HostProcess, NotRecognized, Mono, Net461, Net462, Net47, Net471, Net472, Net48, Net481, NetCoreApp20, NetCoreApp21, NetCoreApp22, NetCoreApp30,
        NetCoreApp31, Net50, Net60, Net70, Net80, Net90, Net10_0, NativeAot60, NativeAot70, NativeAot80, NativeAot90, NativeAot10_0, Wasm,
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

    public sealed class GcMode
    {
        public bool Server { get; set; }

        public bool Concurrent { get; set; } = true;

        public bool Force { get; set; } = true;

        public bool RetainVm { get; set; }
    }

    /// <summary>A set of settings; every method gives a new one.</summary>
    public sealed class Job
    {
        public static readonly Job Default = new Job("Default");
        public static readonly Job Dry = new Job("Dry").WithStrategy(RunStrategy.ColdStart);
        public static readonly Job ShortRun = new Job("ShortRun");
        public static readonly Job MediumRun = new Job("MediumRun");
        public static readonly Job LongRun = new Job("LongRun");
        public static readonly Job VeryLongRun = new Job("VeryLongRun");
        public static readonly Job InProcess = new Job("InProcess");
        public static readonly Job InProcessDontLogOutput = InProcess;
        private readonly Dictionary<string, string> environment = new Dictionary<string, string>();
        private RunStrategy? strategy;
        private int? invocations;

        public Job()
            : this(string.Empty)
        {
        }

        public Job(string id)
        {
            Id = id;
        }

        public Job(string id, Job other)
            : this(id)
        {
            environment = new Dictionary<string, string>(other.environment);
            strategy = other.strategy;
            invocations = other.invocations;
        }

        public string Id { get; private set; }

        public Job WithId(string id) => Change(j => j.Id = id);

        public Job WithStrategy(RunStrategy value) => Change(j => j.strategy = value);

        public Job WithInvocationCount(long count) => Change(j => j.invocations = (int)Math.Min(count, int.MaxValue));

        public Job RunOncePerIteration() => this;

        public Job WithGcServer(bool value) => Setting("Server=" + value, "gcServer", value);

        public Job WithGcConcurrent(bool value) => Setting("Concurrent=" + value, "gcConcurrent", value);

        public Job WithGcRetainVm(bool value) => Setting("RetainVm=" + value, "GCRetainVM", value);

        public Job WithHeapCount(int count) => Hexadecimal("HeapCount=" + count, "GCHeapCount", count);

        public Job WithHeapAffinitizeMask(int mask) => Hexadecimal("HeapAffinitizeMask=" + mask, "GCHeapAffinitizeMask", mask);

        public Job WithNoAffinitize(bool value) => Setting("NoAffinitize=" + value, "GCNoAffinitize", value);

        public Job WithGcMode(GcMode mode) => WithGcServer(mode.Server).WithGcConcurrent(mode.Concurrent).WithGcRetainVm(mode.RetainVm);

        public Job WithEnvironmentVariable(string key, string value) => Change(j => j.environment[key] = value, key + "=" + value);

        public Job WithEnvironmentVariable(EnvironmentVariable variable) => WithEnvironmentVariable(variable.Key, variable.Value);

        public Job WithEnvironmentVariables(params EnvironmentVariable[] variables) => variables.Aggregate(this, (job, v) => job.WithEnvironmentVariable(v));

        // What the host decides, or the machine. Nothing of it changes how a process is started.
        public Job WithLaunchCount(int count) => this;

        public Job WithWarmupCount(int count) => this;

        public Job WithMinWarmupCount(int count) => this;

        public Job WithMaxWarmupCount(int count) => this;

        public Job WithIterationCount(int count) => this;

        public Job WithMinIterationCount(int count) => this;

        public Job WithMaxIterationCount(int count) => this;

        public Job WithMinInvokeCount(int count) => this;

        public Job WithUnrollFactor(int factor) => this;

        public Job WithIterationTime(object time) => this;

        public Job WithMinIterationTime(object time) => this;

        public Job WithMaxRelativeError(double value) => this;

        public Job WithMaxAbsoluteError(object value) => this;

        public Job WithEvaluateOverhead(bool value) => this;

        public Job WithOutlierMode(object mode) => this;

        public Job WithAnalyzeLaunchVariance(bool value) => this;

        public Job WithGcForce(bool value) => this;

        public Job WithMemoryRandomization(bool enable = true) => this;

        public Job WithPowerPlan(object plan) => this;

        public Job WithAffinity(IntPtr affinity) => this;

        public Job WithArguments(object arguments) => this;

        public Job WithCustomBuildConfiguration(string name) => this;

        // The names before version 0.12.
        public Job With(RunStrategy value) => WithStrategy(value);

        public Job With(params EnvironmentVariable[] variables) => WithEnvironmentVariables(variables);

        public Job With(object setting) => Noted("With(" + setting.GetType().Name + ")", "the program runs as the runtime on this machine does");

        public Job WithNuGet(string name, string version = null) => Noted("WithNuGet", "compare revisions: `tare compare main HEAD`");

        public Job WithRuntime(object runtime) => Noted("WithRuntime", "the runtime is that of the program's framework");

        public Job WithToolchain(object toolchain) => Noted("WithToolchain", "the program is built by the SDK that `dotnet` finds");

        public Job WithPlatform(Platform platform) => Noted("WithPlatform", "the program runs as the runtime on this machine does");

        public Job WithJit(Jit jit) => Noted("WithJit", "the compiler is that of the runtime");

        public Job WithBaseline(bool value) => value ? AsBaseline() : this;

        public Job AsBaseline() => Noted("AsBaseline", "benchmarks are compared within a job; `[Benchmark(Baseline = true)]` chooses one");

        public Job AsDefault(bool value = true) => this;

        public Job AsMutator() => this;

        public Job Apply(Job other) => new Job(other.Id.Length > 0 ? other.Id : Id, this).Merge(other);

        public Job UnfreezeCopy() => new Job(Id, this);

        public Job Freeze() => this;

        /// <summary>As Tare has it.</summary>
        internal Tare.JobAttribute Carried()
        {
            return new CarriedAttribute(Id.Length > 0 ? Id : "Default", environment, strategy, invocations);
        }

        private Job Merge(Job other)
        {
            foreach (var pair in other.environment)
            {
                environment[pair.Key] = pair.Value;
            }
            strategy = other.strategy ?? strategy;
            invocations = other.invocations ?? invocations;
            return this;
        }

        private Job Noted(string what, string instead)
        {
            Tare.Given.WithoutEffect(what, instead);
            return this;
        }

        private Job Setting(string label, string name, bool value) => Variable(label, name, value ? "1" : "0");

        private Job Hexadecimal(string label, string name, int value) => Variable(label, name, value.ToString("x", CultureInfo.InvariantCulture));

        /// <summary>Under the name that .NET Core 3.1 reads, and under that of later ones.</summary>
        private Job Variable(string label, string name, string value)
        {
            void Both(Job job)
            {
                job.environment["COMPlus_" + name] = value;
                job.environment["DOTNET_" + name] = value;
            }

            return Change(Both, label);
        }

        private Job Change(Action<Job> change, string label = null)
        {
            var id = label == null || label.StartsWith(Id, StringComparison.Ordinal) ? Id : Id.Length == 0 || Id == "Default" ? label : Id + "," + label;
            var job = new Job(id, this);
            change(job);
            return job;
        }

        private sealed class CarriedAttribute : Tare.JobAttribute
        {
            internal CarriedAttribute(string id, Dictionary<string, string> environment, RunStrategy? strategy, int? invocations)
                : base(id, environment.SelectMany(pair => new[] { pair.Key, pair.Value }).ToArray())
            {
                if (strategy == RunStrategy.Monitoring || strategy == RunStrategy.ColdStart)
                {
                    Settings.Add(new Tare.SettingAttribute(strategy == RunStrategy.Monitoring ? Tare.Strategy.Monitoring : Tare.Strategy.ColdStart));
                }
                if (invocations > 0)
                {
                    Settings.Add(new Tare.SettingAttribute(invocations.Value));
                }
            }
        }
    }
}

namespace BenchmarkDotNet.Environments
{
    public enum Jit
    {
        Default, LegacyJit, RyuJit, Llvm,
    }

    public enum Platform
    {
        AnyCpu, X86, X64, Arm, Arm64,
    }

    public class Runtime
    {
        public static readonly Runtime Core = new Runtime(), Clr = new Runtime(), Mono = new Runtime(), CoreRT = new Runtime();
    }

    public class CoreRuntime : Runtime
    {
        public static readonly CoreRuntime Core20 = new CoreRuntime(), Core21 = new CoreRuntime(), Core22 = new CoreRuntime(), Core30 = new CoreRuntime(),
            Core31 = new CoreRuntime(), Core50 = new CoreRuntime(), Core60 = new CoreRuntime(), Core70 = new CoreRuntime(), Core80 = new CoreRuntime(),
            Core90 = new CoreRuntime(), Core10_0 = new CoreRuntime();
    }

    public class ClrRuntime : Runtime
    {
        public static readonly ClrRuntime Net461 = new ClrRuntime(), Net462 = new ClrRuntime(), Net47 = new ClrRuntime(), Net471 = new ClrRuntime(),
            Net472 = new ClrRuntime(), Net48 = new ClrRuntime(), Net481 = new ClrRuntime();
    }

    public class MonoRuntime : Runtime
    {
        public static readonly MonoRuntime Default = new MonoRuntime();
    }

    public class NativeAotRuntime : Runtime
    {
        public static readonly NativeAotRuntime Net60 = new NativeAotRuntime(), Net70 = new NativeAotRuntime(), Net80 = new NativeAotRuntime(), Net90 = new NativeAotRuntime();
    }
}
