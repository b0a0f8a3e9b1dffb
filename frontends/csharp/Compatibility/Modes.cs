// The parts of a job that code can set as objects: `new Job { Run = { LaunchCount = 1 }, Environment = { Gc = { Server = true } } }`.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Environments;

namespace BenchmarkDotNet.Jobs
{
    /// <summary>What was set, by name, in the order in which it was set.</summary>
    public abstract class JobMode
    {
        private readonly List<KeyValuePair<string, object>> values = new List<KeyValuePair<string, object>>();

        internal IReadOnlyList<KeyValuePair<string, object>> Values => values;

        internal T Get<T>(string name, T otherwise = default(T))
        {
            var at = values.FindIndex(known => known.Key == name);
            return at < 0 || values[at].Value == null ? otherwise : (T)values[at].Value;
        }

        internal void Set(string name, object value)
        {
            var at = values.FindIndex(known => known.Key == name);
            var pair = new KeyValuePair<string, object>(name, value);
            if (at < 0)
            {
                values.Add(pair);
            }
            else
            {
                values[at] = pair;
            }
        }

        internal bool Has(string name)
        {
            return values.Exists(known => known.Key == name);
        }

        internal void Take(JobMode other)
        {
            foreach (var pair in other.values)
            {
                Set(pair.Key, pair.Value);
            }
        }

        /// <summary>Sets what has no effect here, and says what does it instead.</summary>
        internal void SetNoted(string name, object value, string instead)
        {
            Tare.Given.WithoutEffect(name, instead);
        }
    }

    public sealed class GcMode : JobMode
    {
        public bool Server { get => Get("Server", false); set => Set("Server", value); }

        public bool Concurrent { get => Get("Concurrent", true); set => Set("Concurrent", value); }

        public bool RetainVm { get => Get("RetainVm", false); set => Set("RetainVm", value); }

        public bool CpuGroups { get => Get("CpuGroups", false); set => Set("CpuGroups", value); }

        public bool AllowVeryLargeObjects { get => Get("AllowVeryLargeObjects", true); set => Set("AllowVeryLargeObjects", value); }

        public int HeapCount { get => Get("HeapCount", 0); set => Set("HeapCount", value); }

        public int HeapAffinitizeMask { get => Get("HeapAffinitizeMask", 0); set => Set("HeapAffinitizeMask", value); }

        public bool NoAffinitize { get => Get("NoAffinitize", false); set => Set("NoAffinitize", value); }

        public bool Force { get => true; set => SetNoted("Gc.Force", value, "collections happen when the runtime makes them, and are counted"); }

        /// <summary>The name of the runtime's setting for each of ours.</summary>
        internal static string Setting(string name)
        {
            switch (name)
            {
                case "Server":
                    return "gcServer";
                case "Concurrent":
                    return "gcConcurrent";
                case "RetainVm":
                    return "GCRetainVM";
                case "CpuGroups":
                    return "GCCpuGroup";
                case "AllowVeryLargeObjects":
                    return "gcAllowVeryLargeObjects";
                default:
                    return "GC" + name;
            }
        }

        /// <summary>The variables of the environment, under the name that .NET Core 3.1 reads, and under that of later ones.</summary>
        internal IEnumerable<KeyValuePair<string, string>> Variables()
        {
            foreach (var pair in Values)
            {
                var value = pair.Value is bool truth ? (truth ? "1" : "0") : ((int)pair.Value).ToString("x", CultureInfo.InvariantCulture);
                yield return new KeyValuePair<string, string>("DOTNET_" + Setting(pair.Key), value);
                yield return new KeyValuePair<string, string>("COMPlus_" + Setting(pair.Key), value);
            }
        }
    }

    public sealed class EnvironmentMode : JobMode
    {
        public static readonly EnvironmentMode LegacyJitX86 = new EnvironmentMode(), LegacyJitX64 = LegacyJitX86, RyuJitX64 = LegacyJitX86, RyuJitX86 = LegacyJitX86;

        public EnvironmentMode()
        {
        }

        public EnvironmentMode(string id)
        {
        }

        public EnvironmentMode(Runtime runtime)
        {
            Runtime = runtime;
        }

        public Runtime Runtime { get => Get<Runtime>("Runtime"); set => Set("Runtime", value); }

        public GcMode Gc { get; private set; } = new GcMode();

        public IReadOnlyList<EnvironmentVariable> EnvironmentVariables
        {
            get => Get<IReadOnlyList<EnvironmentVariable>>("EnvironmentVariables", new EnvironmentVariable[0]);
            set => Set("EnvironmentVariables", value);
        }

        public Platform Platform { get => Get("Platform", Platform.AnyCpu); set => Set("Platform", value); }

        public Jit Jit { get => Jit.Default; set => SetNoted("Jit", value, "the compiler is that of the runtime"); }

        public IntPtr Affinity { get => IntPtr.Zero; set => SetNoted("Affinity", value, "`--job 'cpus=0-3'` keeps processes on processors"); }

        public Guid? PowerPlanMode { get => null; set => SetNoted("PowerPlanMode", value, "`tare doctor` says what makes a machine unfit to measure on"); }

        public bool LargeAddressAware { get => false; set => SetNoted("LargeAddressAware", value, "the program runs as the runtime on this machine does"); }

        public EnvironmentMode SetEnvironmentVariable(EnvironmentVariable variable)
        {
            EnvironmentVariables = new List<EnvironmentVariable>(EnvironmentVariables) { variable };
            return this;
        }

        /// <summary>The runtime and the platform as `tare` calls them: `8.0`, `8.0-x86`, `x86`; null: those of the program.</summary>
        internal string RuntimeWord()
        {
            var words = new[] { Runtime?.Word, Platform == Platform.AnyCpu ? null : Platform.ToString().ToLowerInvariant() };
            return words.All(word => word == null) ? null : string.Join("-", words.Where(word => word != null));
        }

        internal void TakeAll(EnvironmentMode other)
        {
            var variables = EnvironmentVariables.Where(v => other.EnvironmentVariables.All(o => o.Key != v.Key)).Concat(other.EnvironmentVariables).ToList();
            Take(other);
            Gc.Take(other.Gc);
            if (variables.Count > 0)
            {
                EnvironmentVariables = variables;
            }
        }

        internal void Replace(GcMode gc)
        {
            Gc.Take(gc);
        }
    }

    public sealed class RunMode : JobMode
    {
        public static readonly RunMode Dry = new RunMode { RunStrategy = RunStrategy.ColdStart }, Short = new RunMode(), Medium = Short, Long = Short, VeryLong = Short, Default = Short;
        private const string Enough = "measured until the interval is narrow enough: `--precision`, `--budget` and `--long` change that";
        internal const string Tiering = "code is compiled again as in production, and nothing counts before that; `--job DOTNET_TieredCompilation=0` is without";
        private const string WarmUp = "the warm-up is found by values in every process; `--job warm-up=TIME` sets its length";

        public RunMode()
        {
        }

        public RunMode(string id)
        {
        }

        public RunStrategy RunStrategy { get => Get("RunStrategy", RunStrategy.Throughput); set => Set("RunStrategy", value); }

        public long InvocationCount { get => Get("InvocationCount", 0L); set => Set("InvocationCount", value); }

        public bool MemoryRandomization { get => Get("MemoryRandomization", false); set => Set("MemoryRandomization", value); }

        public int LaunchCount { get => 0; set => SetNoted("LaunchCount", value, "several processes are the rule; `--launches N` sets their number"); }

        public int WarmupCount { get => 0; set => SetNoted("WarmupCount", value, WarmUp); }

        public int MinWarmupIterationCount { get => 0; set => SetNoted("MinWarmupIterationCount", value, WarmUp); }

        public int MaxWarmupIterationCount { get => 0; set => SetNoted("MaxWarmupIterationCount", value, WarmUp); }

        public int IterationCount { get => 0; set => SetNoted("IterationCount", value, Enough); }

        public int TargetCount { get => 0; set => SetNoted("TargetCount", value, Enough); }

        public int MinIterationCount { get => 0; set => SetNoted("MinIterationCount", value, Enough); }

        public int MaxIterationCount { get => 0; set => SetNoted("MaxIterationCount", value, Enough); }

        public object IterationTime { get => null; set => SetNoted("IterationTime", value, "an iteration of about 1 ms is part of the method; `--job visit=TIME` sets it"); }

        public JitTieringMode JitTieringMode { get => JitTieringMode.Auto; set => SetNoted("JitTieringMode", value, Tiering); }

        public bool ConsumeTasksSynchronously { get => true; set => SetNoted("ConsumeTasksSynchronously", value, "a task is awaited by the thread that measures"); }

        public int UnrollFactor { get => 16; set => SetNoted("UnrollFactor", value, "the loop is unrolled 16 times"); }
    }

    public sealed class AccuracyMode : JobMode
    {
        private const string Enough = "measured until the interval is narrow enough: `--precision` sets how narrow";

        public double MaxRelativeError { get => 0; set => SetNoted("MaxRelativeError", value, Enough); }

        public object MaxAbsoluteError { get => null; set => SetNoted("MaxAbsoluteError", value, Enough); }

        public object MinIterationTime { get => null; set => SetNoted("MinIterationTime", value, "an iteration of about 1 ms is part of the method; `--job visit=TIME` sets it"); }

        public int MinInvokeCount { get => 0; set => SetNoted("MinInvokeCount", value, "a pilot finds the number of calls; `--invocations N` sets it"); }

        public bool EvaluateOverhead { get => true; set => SetNoted("EvaluateOverhead", value, "the loop is measured beside every benchmark"); }

        public object OutlierMode { get => null; set => SetNoted("OutlierMode", value, "nothing is dropped for being slow; `tare show ID --outliers upper` is a view without"); }

        public bool AnalyzeLaunchVariance { get => true; set => SetNoted("AnalyzeLaunchVariance", value, "the interval is always over processes"); }
    }

    public sealed class InfrastructureMode : JobMode
    {
        public static readonly InfrastructureMode InProcess = new InfrastructureMode(), InProcessDontLogOutput = InProcess;

        public object Toolchain { get => null; set => SetNoted("Toolchain", value, "the program is built by the SDK that `dotnet` finds"); }

        public object Clock { get => null; set => SetNoted("Clock", value, "the clock is the most precise one of the runtime"); }

        public object EngineFactory { get => null; set => SetNoted("EngineFactory", value, "`tare` decides what is measured"); }

        public string BuildConfiguration { get => "Release"; set => SetNoted("BuildConfiguration", value, "`--flags -p:NAME=VALUE` is for the build"); }

        public IReadOnlyList<Argument> Arguments { get => new Argument[0]; set => SetNoted("Arguments", value, "`--flags -p:NAME=VALUE` is for the build"); }

        public IReadOnlyList<object> NuGetReferences { get => new object[0]; set => SetNoted("NuGetReferences", value, "compare revisions: `tare compare main HEAD`"); }
    }

    public sealed class MetaMode : JobMode
    {
        public bool Baseline { get => Get("Baseline", false); set => Set("Baseline", value); }

        public bool IsMutator { get => Get("IsMutator", false); set => Set("IsMutator", value); }

        public bool IsDefault { get => Get("IsDefault", false); set => Set("IsDefault", value); }
    }

    /// <summary>Arguments of builds and of runtimes.</summary>
    public abstract class Argument
    {
        protected Argument(string value)
        {
            TextRepresentation = value;
        }

        public string TextRepresentation { get; }
    }

    public class MonoArgument : Argument
    {
        public MonoArgument(string value)
            : base(value)
        {
        }
    }

    public class MsBuildArgument : Argument
    {
        public MsBuildArgument(string value, bool escape = false)
            : base(value)
        {
        }
    }
}
