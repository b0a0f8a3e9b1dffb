// How programs written for BenchmarkDotNet begin.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
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
            return new Summary(Tare.BenchmarkRunner.Run(type, Words.Of(args)).ExitCode);
        }

        /// <summary>Of a class that was converted: all of its benchmarks.</summary>
        public static Summary Run(BenchmarkRunInfo benchmarkRunInfo) => Run(benchmarkRunInfo.Type, benchmarkRunInfo.Config);

        /// <summary>Of classes that were converted.</summary>
        public static Summary[] Run(BenchmarkRunInfo[] benchmarkRunInfos) => Run(benchmarkRunInfos.Select(i => i.Type).ToArray(), benchmarkRunInfos.Select(i => i.Config).FirstOrDefault());

        public static Summary[] Run(Type[] types, IConfig config = null, string[] args = null)
        {
            Carried.Note(config);
            return new[] { new Summary(Tare.BenchmarkRunner.Run(types, Words.Of(args)).ExitCode) };
        }

        public static Summary[] Run(Assembly assembly, IConfig config = null, string[] args = null)
        {
            Carried.Note(config);
            return new[] { new Summary(Tare.BenchmarkRunner.Run(assembly, Words.Of(args)).ExitCode) };
        }

        // Since version 0.16; there they are value tasks, which `await` takes as well.
        public static Task<Summary> RunAsync<T>(IConfig config = null, string[] args = null) => Task.FromResult(Run<T>(config, args));

        public static Task<Summary> RunAsync(Type type, IConfig config = null, string[] args = null) => Task.FromResult(Run(type, config, args));

        public static Task<Summary[]> RunAsync(Type[] types, IConfig config = null, string[] args = null) => Task.FromResult(Run(types, config, args));

        public static Task<Summary[]> RunAsync(Assembly assembly, IConfig config = null, string[] args = null) => Task.FromResult(Run(assembly, config, args));
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
            return new[] { new Summary(switcher.Run(Words.Of(args)).ExitCode) };
        }

        public IEnumerable<Summary> RunAll(IConfig config = null, string[] args = null)
        {
            return Run(args, config);
        }

        public Task<IEnumerable<Summary>> RunAsync(string[] args = null, IConfig config = null) => Task.FromResult(Run(args, config));

        public Task<IEnumerable<Summary>> RunAllAsync(IConfig config = null, string[] args = null) => Task.FromResult(RunAll(config, args));

        public Summary RunAllJoined(IConfig config = null, string[] args = null)
        {
            return Run(args, config).First();
        }
    }

    /// <summary>A class whose benchmarks are to be measured.</summary>
    public class BenchmarkRunInfo : IDisposable
    {
        internal BenchmarkRunInfo(Type type, IConfig config)
        {
            Type = type;
            Config = config;
        }

        public Type Type { get; }

        public IConfig Config { get; }

        public BenchmarkCase[] BenchmarksCases => new BenchmarkCase[0];

        public void Dispose()
        {
        }
    }

    public static class BenchmarkConverter
    {
        public static BenchmarkRunInfo TypeToBenchmarks(Type type, IConfig config = null) => new BenchmarkRunInfo(type, config);
    }
}
