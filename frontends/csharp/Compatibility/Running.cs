// How programs written for BenchmarkDotNet begin.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Reports;

namespace BenchmarkDotNet.Running
{
    public static class BenchmarkRunner
    {
        public static Summary Run<T>(IConfig config = null, string[] args = null)
        {
            return Run(typeof(T), config, args);
        }

        public static Summary Run(Type type, IConfig config = null, string[] args = null)
        {
            Carried.Note(config);
            return new Summary(Tare.BenchmarkRunner.Run(type, args).ExitCode);
        }

        public static Summary[] Run(Type[] types, IConfig config = null, string[] args = null)
        {
            Carried.Note(config);
            return new[] { new Summary(Tare.BenchmarkRunner.Run(types, args).ExitCode) };
        }

        public static Summary[] Run(Assembly assembly, IConfig config = null, string[] args = null)
        {
            Carried.Note(config);
            return new[] { new Summary(Tare.BenchmarkRunner.Run(assembly, args).ExitCode) };
        }
    }

    public class BenchmarkSwitcher
    {
        private readonly Tare.BenchmarkSwitcher switcher;

        public BenchmarkSwitcher(Type[] types)
        {
            switcher = new Tare.BenchmarkSwitcher(types);
        }

        public BenchmarkSwitcher(Assembly assembly)
        {
            switcher = new Tare.BenchmarkSwitcher(assembly);
        }

        private BenchmarkSwitcher(Assembly[] assemblies)
        {
            switcher = Tare.BenchmarkSwitcher.FromAssemblies(assemblies);
        }

        public static BenchmarkSwitcher FromAssembly(Assembly assembly)
        {
            return new BenchmarkSwitcher(assembly);
        }

        public static BenchmarkSwitcher FromAssemblies(Assembly[] assemblies)
        {
            return new BenchmarkSwitcher(assemblies);
        }

        public static BenchmarkSwitcher FromTypes(Type[] types)
        {
            return new BenchmarkSwitcher(types);
        }

        public IEnumerable<Summary> Run(string[] args = null, IConfig config = null)
        {
            Carried.Note(config);
            return new[] { new Summary(switcher.Run(args).ExitCode) };
        }

        public IEnumerable<Summary> RunAll(IConfig config = null, string[] args = null)
        {
            return Run(args, config);
        }

        public Summary RunAllJoined(IConfig config = null, string[] args = null)
        {
            return Run(args, config).First();
        }
    }
}

namespace BenchmarkDotNet.Reports
{
    /// <summary>What became of a run: the results are in the table and in the run's document.</summary>
    public class Summary
    {
        internal Summary(int exitCode)
        {
            HasCriticalValidationErrors = exitCode != 0;
        }

        public string Title => string.Empty;

        public bool HasCriticalValidationErrors { get; }
    }

    public class SummaryStyle
    {
        public static readonly SummaryStyle Default = new SummaryStyle();

        public SummaryStyle WithRatioStyle(Columns.RatioStyle ratioStyle) => this;

        public SummaryStyle WithMaxParameterColumnWidth(int maxParameterColumnWidth) => this;

        public SummaryStyle WithTimeUnit(object timeUnit) => this;

        public SummaryStyle WithSizeUnit(object sizeUnit) => this;
    }
}
