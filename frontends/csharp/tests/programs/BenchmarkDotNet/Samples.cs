// Source as it is written for BenchmarkDotNet: it compiles unchanged, and means the same.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Csv;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;
using Perfolizer.Horology;

namespace Samples
{
    [MemoryDiagnoser]
    [Orderer(SummaryOrderPolicy.FastestToSlowest, MethodOrderPolicy.Declared)]
    [RankColumn(NumeralSystem.Arabic), MinColumn, MaxColumn]
    [SimpleJob(RuntimeMoniker.Net10_0, baseline: true)]
    [SimpleJob(RuntimeMoniker.Net70)]
    [MarkdownExporter, HtmlExporter, CsvMeasurementsExporter, RPlotExporter, JsonExporterAttribute.Full]
    [HideColumns("Error", "StdDev", Column.Median)]
    public class Concat
    {
        private readonly Consumer consumer = new Consumer();

        [Params(2, 3)]
        public int N { get; set; }

        [GlobalSetup(Targets = new[] { nameof(Plus) })]
        public void Setup() => Console.WriteLine("set up");

        [Benchmark(Baseline = true, Description = "plus sign")]
        public string Plus() => string.Concat(Enumerable.Repeat("x", N));

        [Benchmark]
        public string Builder()
        {
            var sb = new StringBuilder();
            for (var i = 0; i < N; i++) sb.Append('x');
            return sb.ToString();
        }

        [Benchmark]
        public void Lazily() => Enumerable.Range(0, N).Select(i => i * 2).Consume(consumer);

        [Benchmark]
        [Arguments(100, 10)]
        [Arguments(200, 20)]
        [BenchmarkCategory("args", "slow")]
        public int Add(int a, int b) => a + b;

        [Benchmark]
        [ArgumentsSource(nameof(Names))]
        public int Length(string name) => name.Length;

        public IEnumerable<object> Names()
        {
            yield return "abc";
            yield return "abcd";
        }
    }

    public class Collectors : ManualConfig
    {
        public Collectors()
        {
            AddJob(Job.Default.WithGcServer(true).WithGcForce(false).WithId("Server"));
            AddJob(Job.MediumRun.WithGcServer(false).WithId("Workstation").WithLaunchCount(1).WithIterationTime(TimeInterval.FromMilliseconds(250)));
            AddColumn(StatisticColumn.P95, StatisticColumn.Max, RankColumn.Arabic);
            AddDiagnoser(MemoryDiagnoser.Default, new ThreadingDiagnoser(new ThreadingDiagnoserConfig(displayLockContentionWhenZero: false)));
            AddExporter(MarkdownExporter.GitHub, CsvExporter.Default);
            AddLogger(ConsoleLogger.Default);
            AddValidator(JitOptimizationsValidator.FailOnError);
            WithSummaryStyle(SummaryStyle.Default.WithRatioStyle(RatioStyle.Trend));
            WithOptions(ConfigOptions.JoinSummary);
            WithWakeLock(WakeLockType.None);
        }
    }

    [Config(typeof(Collectors))]
    [GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
    [CategoriesColumn]
    public class Collected
    {
        [Benchmark(Baseline = true), BenchmarkCategory("fast")]
        public bool Server() => System.Runtime.GCSettings.IsServerGC;

        [Benchmark, BenchmarkCategory("fast")]
        public async Task<int> Later()
        {
            await Task.Yield();
            return 1;
        }
    }

    public class Platforms : ManualConfig
    {
        public Platforms()
        {
            AddJob(Job.Default.WithRuntime(CoreRuntime.Core10_0).WithPlatform(Platform.X86));
            AddJob(new Job("thumb") { Environment = { Platform = Platform.Arm } });
            AddJob(Job.Default.WithPlatform(Platform.AnyCpu).WithId("own"));
        }
    }

    [Config(typeof(Platforms)), DisassemblyDiagnoser, HardwareCounters(HardwareCounter.CacheMisses)]
    public class OnPlatforms
    {
        [Benchmark]
        public int Bits() => 8 * IntPtr.Size;
    }

    [DryJob]
    [SimpleJob(RunStrategy.ColdStart, launchCount: 1, iterationCount: 5, id: "Cold")]
    public class Cold
    {
        [Benchmark]
        public int First() => 1;
    }

    [SimpleJob(RunStrategy.Monitoring, iterationCount: 10), GcServer(true), InvocationCount(4)]
    public class Monitored
    {
        [IterationSetup]
        public void Before() { }

        [Benchmark]
        public int Each() => 1;
    }

    [GenericTypeArguments(typeof(int)), GenericTypeArguments(typeof(DateTime))]
    [ShortRunJob, DisassemblyDiagnoser(maxDepth: 3, printSource: true), ThreadingDiagnoser(true, false), WakeLock(WakeLockType.System), HardwareCounters(HardwareCounter.CacheMisses), CsvExporter(CsvSeparator.Comma)]
    public class Make<T> where T : new()
    {
        [Benchmark] public T Value() => new T();
    }

    // Values that no text holds come from their source again, and the others by their text.
    public class Values
    {
        public static IEnumerable<int[]> Large() { yield return Enumerable.Range(0, 100000).ToArray(); yield return new int[3]; }

        public static IEnumerable<string> Long() { yield return new string('x', 300000); }

        public static IEnumerable<object[]> Rows() { yield return new object[] { new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc), Guid.Empty, new List<int> { 7 } }; }

        [ParamsSource(nameof(Large))] public int[] Data;
        [ParamsSource(nameof(Long))] public string Text;

        [Benchmark, ArgumentsSource(nameof(Rows))] public string Of(DateTime time, Guid id, List<int> list) => Data.Length + " " + Text.Length + " " + time.Ticks + " " + time.Kind + " " + list[0];

        [Benchmark, Arguments(typeof(int), new[] { 1, 2 }, 'c', 2.5, null, DayOfWeek.Friday)]
        public string Literal(Type type, int[] all, char letter, double number, string nothing, DayOfWeek day) => type + " " + all[1] + letter + number + (nothing ?? "null") + day;
    }

    public static class Program
    {
        public static void Run(string[] args)
        {
            var config = DefaultConfig.Instance
                .AddJob(Job.Default.WithRuntime(CoreRuntime.Core10_0))
                .WithOptions(ConfigOptions.DisableOptimizationsValidator);
            IEnumerable<Summary> summaries = BenchmarkSwitcher.FromTypes(Classes.In("Samples")).Run(args, config);
            Console.WriteLine(summaries.Count());
        }
    }
}
