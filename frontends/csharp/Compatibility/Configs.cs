// Configurations in code: their jobs are carried over; the rest is presentation.

using System;
using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;

namespace BenchmarkDotNet.Configs
{
    public interface IConfig
    {
        IEnumerable<Job> GetJobs();
    }

    /// <summary>An attribute of the user's own that gives a configuration.</summary>
    [ConfigSourceReader]
    public interface IConfigSource
    {
        IConfig Config { get; }
    }

    [Flags]
    public enum ConfigOptions
    {
        Default = 0, KeepBenchmarkFiles = 1, JoinSummary = 2, StopOnFirstError = 4, DisableOptimizationsValidator = 8, DontOverwriteResults = 16, DisableLogFile = 32,
        LogBuildOutput = 64, GenerateMSBuildBinLog = 128, ApplesToApples = 256, DisableParallelBuild = 512,
    }

    public enum ConfigUnionRule
    {
        Union, AlwaysUseGlobal, AlwaysUseLocal,
    }

    public enum BenchmarkLogicalGroupRule
    {
        ByMethod, ByJob, ByParams, ByCategory,
    }

    public class ManualConfig : IConfig
    {
        private readonly List<Job> jobs = new List<Job>();
        private readonly List<Func<Tare.Candidate, bool>> filters = new List<Func<Tare.Candidate, bool>>();

        public ConfigOptions Options { get; set; }

        public ConfigUnionRule UnionRule { get; set; }

        public SummaryStyle SummaryStyle { get; set; }

        public string ArtifactsPath { get; set; }

        public object CultureInfo { get; set; }

        public object CategoryDiscoverer { get; set; }

        public TimeSpan BuildTimeout { get; set; }

        public object WakeLock { get; set; }

        public Order.IOrderer Orderer { get; set; }

        public static ManualConfig CreateEmpty() => new ManualConfig();

        public static ManualConfig CreateMinimumViable() => new ManualConfig();

        public static ManualConfig Create(IConfig config)
        {
            var made = new ManualConfig();
            made.Add(config);
            return made;
        }

        public static ManualConfig Union(IConfig globalConfig, IConfig localConfig)
        {
            var made = Create(globalConfig);
            made.Add(localConfig);
            return made;
        }

        public IEnumerable<Job> GetJobs() => jobs;

        internal IEnumerable<Func<Tare.Candidate, bool>> OwnFilters() => filters;

        public ManualConfig AddJob(params Job[] newJobs)
        {
            jobs.AddRange(newJobs);
            return this;
        }

        public void Add(params Job[] newJobs) => AddJob(newJobs);

        public void Add(IConfig config)
        {
            AddJob(config.GetJobs().ToArray());
            Options |= (config as ManualConfig)?.Options ?? ConfigOptions.Default;
            filters.AddRange(Carried.Filters(config));
        }

        public void Add(params object[] others)
        {
        }

        public void Set(object orderer)
        {
        }

        public ManualConfig AddColumn(params object[] columns) => this;

        public ManualConfig AddColumnProvider(params object[] providers) => this;

        public ManualConfig AddExporter(params object[] exporters) => this;

        public ManualConfig AddLogger(params object[] loggers) => this;

        public ManualConfig AddDiagnoser(params object[] diagnosers) => Noted(diagnosers);

        public ManualConfig AddAnalyser(params object[] analysers) => this;

        public ManualConfig AddValidator(params object[] validators) =>
            validators.Any(v => v is Validators.ReturnValueValidator) ? Noted("ReturnValueValidator", Validators.ReturnValueValidator.Instead) : this;

        public ManualConfig AddEventProcessor(params object[] processors) => this;

        public ManualConfig AddColumnHidingRules(params object[] rules) => this;

        public ManualConfig AddFilter(params object[] newFilters)
        {
            filters.AddRange(newFilters.Select(Filters.Followed.Filter));
            return this;
        }

        public ManualConfig AddHardwareCounters(params object[] counters) => Noted("AddHardwareCounters", "there is no such diagnoser yet");

        public ManualConfig AddLogicalGroupRules(params BenchmarkLogicalGroupRule[] rules) => Noted("AddLogicalGroupRules", "write `[GroupBenchmarksBy(...)]` at the class");

        public ManualConfig HideColumns(params object[] columns) => this;

        public ManualConfig WithOption(ConfigOptions option, bool value)
        {
            Options = value ? Options | option : Options & ~option;
            return this;
        }

        public ManualConfig WithOptions(ConfigOptions options)
        {
            Options |= options;
            return this;
        }

        public ManualConfig WithSummaryStyle(SummaryStyle style) => this;

        public ManualConfig WithOrderer(object orderer) => this;

        public ManualConfig WithArtifactsPath(string path) => this;

        public ManualConfig WithUnionRule(ConfigUnionRule rule) => this;

        public ManualConfig WithCultureInfo(object culture) => this;

        public ManualConfig WithCategoryDiscoverer(object discoverer) => this;

        public ManualConfig WithBuildTimeout(TimeSpan timeout) => this;

        public ManualConfig WithWakeLock(object lockType) => this;

        public ManualConfig WithTitle(string title) => this;

        public ManualConfig KeepBenchmarkFiles(bool value = true) => this;

        public ManualConfig DontOverwriteResults(bool value = true) => this;

        /// <summary>Names the diagnosers that there is nothing for; allocated bytes are always there.</summary>
        private ManualConfig Noted(object[] diagnosers)
        {
            foreach (var one in diagnosers.Where(d => !(d is Diagnosers.MemoryDiagnoser)))
            {
                Tare.Given.WithoutEffect(one.GetType().Name, "there is no such diagnoser yet");
            }
            return this;
        }

        private ManualConfig Noted(string what, string instead)
        {
            Tare.Given.WithoutEffect(what, instead);
            return this;
        }
    }

    public sealed class ImmutableConfig : ManualConfig
    {
    }

    public class DefaultConfig : ManualConfig
    {
        public static readonly IConfig Instance = new DefaultConfig();
    }

    public abstract class DebugConfig : DefaultConfig
    {
    }

    public class DebugInProcessConfig : DebugConfig
    {
    }

    public class DebugBuildConfig : DebugConfig
    {
    }

    public static class ConfigExtensions
    {
        public static ManualConfig AddJob(this IConfig config, params Job[] jobs) => ManualConfig.Create(config).AddJob(jobs);

        public static ManualConfig With(this IConfig config, params Job[] jobs) => ManualConfig.Create(config).AddJob(jobs);

        public static ManualConfig With(this IConfig config, params object[] others) => ManualConfig.Create(config);

        public static ManualConfig AddColumn(this IConfig config, params object[] columns) => ManualConfig.Create(config);

        public static ManualConfig AddColumnProvider(this IConfig config, params object[] providers) => ManualConfig.Create(config);

        public static ManualConfig AddExporter(this IConfig config, params object[] exporters) => ManualConfig.Create(config);

        public static ManualConfig AddLogger(this IConfig config, params object[] loggers) => ManualConfig.Create(config);

        public static ManualConfig AddDiagnoser(this IConfig config, params object[] diagnosers) => ManualConfig.Create(config).AddDiagnoser(diagnosers);

        public static ManualConfig AddAnalyser(this IConfig config, params object[] analysers) => ManualConfig.Create(config);

        public static ManualConfig AddValidator(this IConfig config, params object[] validators) => ManualConfig.Create(config).AddValidator(validators);

        public static ManualConfig AddEventProcessor(this IConfig config, params object[] processors) => ManualConfig.Create(config);

        public static ManualConfig AddFilter(this IConfig config, params object[] filters) => ManualConfig.Create(config).AddFilter(filters);

        public static ManualConfig AddHardwareCounters(this IConfig config, params object[] counters) => ManualConfig.Create(config).AddHardwareCounters(counters);

        public static ManualConfig AddLogicalGroupRules(this IConfig config, params BenchmarkLogicalGroupRule[] rules) => ManualConfig.Create(config).AddLogicalGroupRules(rules);

        public static ManualConfig HideColumns(this IConfig config, params object[] columns) => ManualConfig.Create(config);

        public static ManualConfig WithOptions(this IConfig config, ConfigOptions options) => ManualConfig.Create(config).WithOptions(options);

        public static ManualConfig WithOption(this IConfig config, ConfigOptions option, bool value) => ManualConfig.Create(config).WithOption(option, value);

        public static ManualConfig WithSummaryStyle(this IConfig config, SummaryStyle style) => ManualConfig.Create(config);

        public static ManualConfig WithOrderer(this IConfig config, object orderer) => ManualConfig.Create(config);

        public static ManualConfig WithArtifactsPath(this IConfig config, string path) => ManualConfig.Create(config);

        public static ManualConfig WithUnionRule(this IConfig config, ConfigUnionRule rule) => ManualConfig.Create(config);

        public static ManualConfig WithCultureInfo(this IConfig config, object culture) => ManualConfig.Create(config);

        public static ManualConfig WithCategoryDiscoverer(this IConfig config, object discoverer) => ManualConfig.Create(config);

        public static ManualConfig WithBuildTimeout(this IConfig config, TimeSpan timeout) => ManualConfig.Create(config);

        public static ManualConfig WithTitle(this IConfig config, string title) => ManualConfig.Create(config);

        public static ManualConfig WithWakeLock(this IConfig config, object lockType) => ManualConfig.Create(config);

        public static ManualConfig KeepBenchmarkFiles(this IConfig config, bool value = true) => ManualConfig.Create(config);

        public static ManualConfig DontOverwriteResults(this IConfig config, bool value = true) => ManualConfig.Create(config);

        public static IConfig CreateImmutableConfig(this IConfig config) => config;
    }

    /// <summary>Reads the jobs of attributes that give a configuration.</summary>
    internal sealed class ConfigSourceReaderAttribute : Tare.JobReaderAttribute
    {
        protected override Tare.JobAttribute[] Read(object attribute)
        {
            return Carried.Jobs(((IConfigSource)attribute).Config);
        }

        protected override Func<Tare.Candidate, bool>[] Filters(object attribute) => Carried.Filters(((IConfigSource)attribute).Config).ToArray();
    }

    /// <summary>From a configuration to what Tare has for it.</summary>
    internal static class Carried
    {
        internal static Tare.JobAttribute[] Jobs(IConfig config)
        {
            var all = config.GetJobs().ToList();
            Tare.Given.AllowsUnoptimisedReferences |= config is ManualConfig manual && manual.Options.HasFlag(ConfigOptions.DisableOptimizationsValidator);
            // A mutator changes the other jobs, and is none itself.
            var mutators = all.Where(j => j.Meta.IsMutator).ToList();
            var jobs = all.Except(mutators).ToList();
            if (jobs.Count == 0 && mutators.Count > 0)
            {
                jobs.Add(Job.Default);
            }
            return jobs.Select(job => mutators.Aggregate(job, (changed, mutator) => changed.Apply(mutator)).Carried()).ToArray();
        }

        internal static IEnumerable<Func<Tare.Candidate, bool>> Filters(IConfig config) => (config as ManualConfig)?.OwnFilters() ?? new Func<Tare.Candidate, bool>[0];

        /// <summary>The jobs and filters of a configuration that is for all classes.</summary>
        internal static void Note(IConfig config)
        {
            foreach (var filter in Filters(config))
            {
                Tare.Given.Filter(filter);
            }
            foreach (var job in config == null ? new Tare.JobAttribute[0] : Jobs(config))
            {
                Tare.Given.Job(job);
            }
        }
    }
}
