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

    [Flags]
    public enum ConfigOptions
    {
        Default = 0, KeepBenchmarkFiles = 1, JoinSummary = 2, StopOnFirstError = 4, DisableOptimizationsValidator = 8, DontOverwriteResults = 16, DisableLogFile = 32,
        LogBuildOutput = 64, GenerateMSBuildBinLog = 128, ApplesToApples = 256,
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

        public ConfigOptions Options { get; set; }

        public ConfigUnionRule UnionRule { get; set; }

        public SummaryStyle SummaryStyle { get; set; }

        public string ArtifactsPath { get; set; }

        public object Orderer { get; set; }

        public static ManualConfig CreateEmpty() => new ManualConfig();

        public static ManualConfig CreateMinimumViable() => new ManualConfig();

        public static ManualConfig Create(IConfig config)
        {
            var made = new ManualConfig();
            made.Add(config);
            return made;
        }

        public static ManualConfig Union(IConfig globalConfig, IConfig localConfig) => Create(globalConfig).AddJob(localConfig.GetJobs().ToArray());

        public IEnumerable<Job> GetJobs() => jobs;

        public ManualConfig AddJob(params Job[] newJobs)
        {
            jobs.AddRange(newJobs);
            return this;
        }

        public void Add(params Job[] newJobs) => AddJob(newJobs);

        public void Add(IConfig config) => AddJob(config.GetJobs().ToArray());

        public void Add(params object[] others)
        {
        }

        public ManualConfig AddColumn(params object[] columns) => this;

        public ManualConfig AddColumnProvider(params object[] providers) => this;

        public ManualConfig AddExporter(params object[] exporters) => this;

        public ManualConfig AddLogger(params object[] loggers) => this;

        public ManualConfig AddDiagnoser(params object[] diagnosers) => this;

        public ManualConfig AddAnalyser(params object[] analysers) => this;

        public ManualConfig AddValidator(params object[] validators) => this;

        public ManualConfig AddFilter(params object[] filters) => Noted("AddFilter", "`--filter` chooses benchmarks");

        public ManualConfig AddHardwareCounters(params object[] counters) => Noted("AddHardwareCounters", "there is no such diagnoser yet");

        public ManualConfig AddLogicalGroupRules(params BenchmarkLogicalGroupRule[] rules) => Noted("AddLogicalGroupRules", "write `[GroupBenchmarksBy(...)]` at the class");

        public ManualConfig HideColumns(params object[] columns) => this;

        public ManualConfig WithOption(ConfigOptions option, bool value) => this;

        public ManualConfig WithOptions(ConfigOptions options) => this;

        public ManualConfig WithSummaryStyle(SummaryStyle style) => this;

        public ManualConfig WithOrderer(object orderer) => this;

        public ManualConfig WithArtifactsPath(string path) => this;

        public ManualConfig WithUnionRule(ConfigUnionRule rule) => this;

        public ManualConfig WithBuildTimeout(TimeSpan timeout) => this;

        private ManualConfig Noted(string what, string instead)
        {
            Tare.Given.WithoutEffect(what, instead);
            return this;
        }
    }

    public class DefaultConfig : ManualConfig
    {
        public static readonly IConfig Instance = new DefaultConfig();
    }

    public class DebugInProcessConfig : DefaultConfig
    {
    }

    public static class ConfigExtensions
    {
        public static ManualConfig AddJob(this IConfig config, params Job[] jobs) => ManualConfig.Create(config).AddJob(jobs);

        public static ManualConfig With(this IConfig config, params Job[] jobs) => ManualConfig.Create(config).AddJob(jobs);

        public static ManualConfig With(this IConfig config, params object[] others) => ManualConfig.Create(config);

        public static ManualConfig AddColumn(this IConfig config, params object[] columns) => ManualConfig.Create(config);

        public static ManualConfig AddExporter(this IConfig config, params object[] exporters) => ManualConfig.Create(config);

        public static ManualConfig AddLogger(this IConfig config, params object[] loggers) => ManualConfig.Create(config);

        public static ManualConfig AddDiagnoser(this IConfig config, params object[] diagnosers) => ManualConfig.Create(config);

        public static ManualConfig AddValidator(this IConfig config, params object[] validators) => ManualConfig.Create(config);

        public static ManualConfig HideColumns(this IConfig config, params object[] columns) => ManualConfig.Create(config);

        public static ManualConfig WithOptions(this IConfig config, ConfigOptions options) => ManualConfig.Create(config);

        public static ManualConfig WithOption(this IConfig config, ConfigOptions option, bool value) => ManualConfig.Create(config);

        public static ManualConfig WithSummaryStyle(this IConfig config, SummaryStyle style) => ManualConfig.Create(config);

        public static ManualConfig WithOrderer(this IConfig config, object orderer) => ManualConfig.Create(config);

        public static ManualConfig WithArtifactsPath(this IConfig config, string path) => ManualConfig.Create(config);

        public static ManualConfig KeepBenchmarkFiles(this IConfig config, bool value = true) => ManualConfig.Create(config);
    }

    /// <summary>From a configuration to what Tare has for it.</summary>
    internal static class Carried
    {
        internal static Tare.JobAttribute[] Jobs(IConfig config)
        {
            return config.GetJobs().Select(job => job.Carried()).ToArray();
        }

        /// <summary>The jobs of a configuration that is for all classes.</summary>
        internal static void Note(IConfig config)
        {
            foreach (var job in config == null ? new Tare.JobAttribute[0] : Jobs(config))
            {
                Tare.Given.Job(job);
            }
        }
    }
}
