// Jobs of the library as Tare has them: what a process can be started with is carried over, and what has no effect is named.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BenchmarkDotNet.Characteristics;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;

namespace Tare.BenchmarkDotNet;

internal sealed class JobsOfType
{
    private const string Enough = "measured until the interval is narrow enough: `--precision`, `--budget` and `--long` change that";
    private const string WarmUp = "each process warms up until its values are steady; `--job warm-up=TIME` sets the length";
    private const string Visit = "an iteration of about 1 ms is part of the method; `--job visit=TIME` sets it";
    private const string Build = "use `--flags -p:NAME=VALUE` for the build";

    /// <summary>Characteristics that have no effect, each with what does it instead.</summary>
    private static readonly Dictionary<string, string> WithoutEffect = new()
    {
        { "LaunchCount", "there are always several processes; `--launches N` sets their number" },
        { "WarmupCount", WarmUp }, { "MinWarmupIterationCount", WarmUp }, { "MaxWarmupIterationCount", WarmUp },
        { "IterationCount", Enough }, { "MinIterationCount", Enough }, { "MaxIterationCount", Enough },
        { "IterationTime", Visit }, { "MinIterationTime", Visit }, { "MaxRelativeError", Enough }, { "MaxAbsoluteError", Enough },
        { "UnrollFactor", "the loop is unrolled 16 times" },
        { "JitTieringMode", "code is recompiled as in production, and nothing before that counts; `--job DOTNET_TieredCompilation=0` turns it off" },
        { "ConsumeTasksSynchronously", "the measuring thread awaits a task" },
        { "MinInvokeCount", "a pilot finds the number of calls; `--invocations N` sets it" },
        { "EvaluateOverhead", "the loop is measured together with every benchmark" },
        { "OutlierMode", "nothing is dropped for being slow" },
        { "AnalyzeLaunchVariance", "the interval is always over processes" },
        { "Clock", "the clock is the most precise one of the runtime" }, { "EngineFactory", "`tare` decides what is measured" },
        { "BuildConfiguration", Build }, { "Arguments", Build }, { "NuGetReferences", "compare revisions: `tare compare main HEAD`" },
        { "Jit", "the runtime's own compiler is used" }, { "Affinity", "`--job 'cpus=0-3'` binds processes to processors" },
        { "PowerPlanMode", "`tare doctor` says what makes a machine unfit to measure on" },
        { "LargeAddressAware", "the program runs as the runtime on this machine does" },
        { "Force", "the runtime decides when to collect; collections are counted" },
    };

    /// <summary>Runtimes of programs compiled ahead of time, by their names: the second one until version 0.13.1, the first one since then.</summary>
    private static readonly string[] AheadOfTime = ["NativeAotRuntime", "CoreRtRuntime"];

    private readonly List<List<NamedJob>> ways;
    private readonly Dictionary<BenchmarkCase, NamedJob> named;

    internal JobsOfType(Type type, IReadOnlyList<BenchmarkCase> cases)
    {
        // The library keeps them in a set, which loses the order of declaration.
        var ofCases = cases.ToDictionary(c => c, Declared);
        var declared = ofCases.Values.GroupBy(j => $"{j.Id}\n{Jobs.Identity(j)}").Select(g => g.FirstOrDefault(j => j.Baseline) ?? g.First())
            .OrderBy(j => !j.Baseline).ThenBy(Jobs.IsOwn).ThenBy(j => VersionOf(j.Runtime)).ThenBy(j => j.Id, StringComparer.Ordinal).ToList();
        var count = cases.GroupBy(c => c.Descriptor.WorkloadMethod).Max(g => g.Select(c => c.Job.DisplayInfo).Distinct().Count());
        if (count > declared.Count)
        {
            Notes.Say($"`{Discovery.NameOf(type)}` has {count} jobs; jobs that differ only in settings without effect are measured as one");
        }
        ways = Jobs.Named(type, declared, cases.Any(c => c.Descriptor.Baseline));
        var byIdentity = ways.SelectMany(way => way).ToDictionary(job => Jobs.Identity(job.Declared));
        named = ofCases.ToDictionary(pair => pair.Key, pair => byIdentity[Jobs.Identity(pair.Value)]);
    }

    /// <summary>For the order of jobs: none first, and words that are no versions last.</summary>
    private static Version VersionOf(string? runtime) =>
        runtime == null ? new Version(0, 0) : Version.TryParse(runtime.Split('-')[0], out var version) ? version : new Version(1000, 0);

    /// <summary>Processes of the class are started in several ways.</summary>
    internal bool HasSeveral => ways.Count > 1;

    /// <summary>The jobs of cases that differ in nothing else, those together that start a process in the same way.</summary>
    internal IEnumerable<List<NamedJob>> Of(IEnumerable<BenchmarkCase> cases)
    {
        var own = new HashSet<NamedJob>(cases.Select(Of));
        return ways.Select(way => way.Where(own.Contains).ToList()).Where(way => way.Count > 0);
    }

    /// <summary>The user has said something with them.</summary>
    internal bool IsWorthNaming(List<NamedJob> jobs) => ways.Count > 1 || ways[0].Count > 1 || jobs[0].Declared.Runtime != null;

    /// <summary>Settings of a case that make no job of their own: after an iteration set-up the library calls once, unless the job says otherwise.</summary>
    internal static IEnumerable<SettingAttribute> SettingsOf(BenchmarkCase one) =>
        InvocationsOf(one.Job) == 1 ? new SettingAttribute[] { new InvocationCountAttribute(1) } : [];

    private static long InvocationsOf(Job job) => job.HasValue(RunMode.InvocationCountCharacteristic) ? job.Run.InvocationCount : 0;

    /// <summary>The job of a case.</summary>
    internal NamedJob Of(BenchmarkCase one) => named[one];

    private static JobAttribute Declared(BenchmarkCase one) =>
        new CarriedAttribute(one.Job, one.Descriptor.IterationSetupMethod != null || one.Descriptor.IterationCleanupMethod != null);

    private sealed class CarriedAttribute : JobAttribute
    {
        internal CarriedAttribute(Job job, bool isIterated)
            : base(NameOf(job), Variables(job).ToArray())
        {
            Runtime = RuntimeOf(job);
            Baseline = job.Meta.Baseline;
            if (job.HasValue(RunMode.RunStrategyCharacteristic) && job.Run.RunStrategy != RunStrategy.Throughput)
            {
                Settings.Add(new SettingAttribute(job.Run.RunStrategy == RunStrategy.Monitoring ? Strategy.Monitoring : Strategy.ColdStart));
            }
            if (InvocationsOf(job) > 1)
            {
                Settings.Add(new InvocationCountAttribute((int)Math.Min(InvocationsOf(job), int.MaxValue)));
            }
            foreach (var characteristic in job.GetCharacteristicsWithValues())
            {
                // By its name: version 0.12 has none.
                if (characteristic.Id == "MemoryRandomization" && characteristic[job] is bool isRandom)
                {
                    Settings.Add(new MemoryRandomizationAttribute(isRandom));
                }
                // The library sets it itself where there is an iteration set-up.
                var isOfLibrary = isIterated && characteristic.Id == "UnrollFactor";
                if (WithoutEffect.TryGetValue(characteristic.Id, out var instead) && !isOfLibrary)
                {
                    Notes.WithoutEffect(characteristic.Id, instead);
                }
            }
        }

        private static string NameOf(Job job)
        {
            if (job.HasValue(CharacteristicObject.IdCharacteristic) && job.Id != "Default")
            {
                return job.Id;
            }
            List<string?> settings =
            [
                job.Environment.Runtime?.Name ?? (ToolchainOf(job) is TareToolchain ? null : ToolchainOf(job)?.Name), PlatformOf(job),
                .. Collector(job).Select(pair => $"{pair.Key}={pair.Value}"),
                .. OwnVariables(job).Select(variable => $"{variable.Key}={variable.Value}"),
            ];
            settings.RemoveAll(word => word == null);
            if (settings.Count == 0 && job.HasValue(RunMode.RunStrategyCharacteristic))
            {
                settings.Add(job.Run.RunStrategy.ToString());
            }
            return settings.Count == 0 ? "Default" : string.Join(",", settings);
        }

        private static string? PlatformOf(Job job) =>
            job.HasValue(EnvironmentMode.PlatformCharacteristic) && job.Environment.Platform != Platform.AnyCpu ? job.Environment.Platform.ToString() : null;

        /// <summary>As `tare` calls it: `8.0`, `net48`, `mono`; null: the program's own.</summary>
        private static string? RuntimeOf(Job job)
        {
            var word = job.HasValue(EnvironmentMode.RuntimeCharacteristic) ? WordOf(job.Environment.Runtime!) : WordOf(ToolchainOf(job));
            var both = new[] { word, PlatformOf(job)?.ToLowerInvariant() }.Where(part => part != null).ToList();
            return both.Count == 0 ? null : string.Join("-", both);
        }

        private static string WordOf(global::BenchmarkDotNet.Environments.Runtime runtime)
        {
            var moniker = runtime.MsBuildMoniker;
            if (runtime is MonoRuntime)
            {
                return moniker.StartsWith("net", StringComparison.Ordinal) ? $"mono{moniker.Substring(3)}" : "mono";
            }
            return runtime is CoreRuntime ? VersionOf(moniker)
                : AheadOfTime.Contains(runtime.GetType().Name) ? $"nativeaot{VersionOf(moniker)}"
                : runtime is ClrRuntime ? moniker : runtime.RuntimeMoniker.ToString().ToLowerInvariant();
        }

        /// <summary>A toolchain of one framework stands for its runtime; another one has no effect.</summary>
        private static string? WordOf(IToolchain? toolchain)
        {
            var name = toolchain?.Name ?? "";
            var version = name.StartsWith(".NET Core ", StringComparison.Ordinal) ? name.Substring(10) : name.StartsWith(".NET ", StringComparison.Ordinal) ? name.Substring(5) : null;
            if (version is { Length: > 0 } && char.IsDigit(version[0]))
            {
                return version;
            }
            if (toolchain is not (null or TareToolchain))
            {
                Notes.WithoutEffect($"Toolchain {name}", "the program is built by the SDK that `dotnet` finds, and runs in separate processes");
            }
            return null;
        }

        private static IToolchain? ToolchainOf(Job job) =>
            job.HasValue(InfrastructureMode.ToolchainCharacteristic) ? job.Infrastructure.Toolchain : null;

        private static string VersionOf(string moniker)
        {
            var digits = moniker.Split('-')[0];
            return digits.StartsWith("netcoreapp", StringComparison.Ordinal) ? digits.Substring(10) : digits.StartsWith("net", StringComparison.Ordinal) ? digits.Substring(3) : digits;
        }

        private static IReadOnlyList<EnvironmentVariable> OwnVariables(Job job) =>
            job.HasValue(EnvironmentMode.EnvironmentVariablesCharacteristic) ? job.Environment.EnvironmentVariables : [];

        private static IEnumerable<KeyValuePair<string, object?>> Collector(Job job)
        {
            var gc = job.Environment.Gc;
            var all = new Characteristic[]
            {
                GcMode.ServerCharacteristic, GcMode.ConcurrentCharacteristic, GcMode.RetainVmCharacteristic, GcMode.CpuGroupsCharacteristic,
                GcMode.AllowVeryLargeObjectsCharacteristic, GcMode.HeapCountCharacteristic, GcMode.HeapAffinitizeMaskCharacteristic, GcMode.NoAffinitizeCharacteristic,
            };
            return all.Where(gc.HasValue).Select(c => new KeyValuePair<string, object?>(c.Id, c[gc]));
        }

        /// <summary>The variables of the collector, then those of the user.</summary>
        private static IEnumerable<string> Variables(Job job)
        {
            foreach (var pair in Collector(job))
            {
                var value = pair.Value is bool truth ? (truth ? "1" : "0") : Convert.ToInt32(pair.Value, CultureInfo.InvariantCulture).ToString("x", CultureInfo.InvariantCulture);
                yield return $"DOTNET_{SettingOf(pair.Key)}";
                yield return value;
            }
            foreach (var variable in OwnVariables(job))
            {
                yield return variable.Key;
                yield return variable.Value;
            }
        }

        private static string SettingOf(string name)
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
                    return $"GC{name}";
            }
        }
    }
}
