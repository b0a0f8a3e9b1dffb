// Benchmark classes in twenty styles in which people write them for BenchmarkDotNet, old and new. All of them compile and run.

using System;
using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Characteristics;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Csv;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Extensions;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Portability;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.CsProj;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using BenchmarkDotNet.Validators;
using Perfolizer.Horology;
using RunMode = BenchmarkDotNet.Jobs.RunMode;

namespace Styles;

// 1: generic base class, types as arguments, a consumer.
[BenchmarkCategory("Libraries", "Collections", "Generic")]
public abstract class Fill<T>
{
    protected T[] values;

    [Params(16)]
    public int Size;

    [GlobalSetup]
    public virtual void Setup() => values = Enumerable.Range(0, Size).Select(i => (T)Convert.ChangeType(i, typeof(T), CultureInfo.InvariantCulture)).ToArray();
}

[GenericTypeArguments(typeof(int))]
[GenericTypeArguments(typeof(string))]
public class AddGivenSize<T> : Fill<T>
{
    [Benchmark]
    public List<T> List()
    {
        var list = new List<T>(Size);
        foreach (var value in values) list.Add(value);
        return list;
    }

    [Benchmark]
    [BenchmarkCategory("Concurrent")]
    public ConcurrentBag<T> Bag()
    {
        var bag = new ConcurrentBag<T>();
        foreach (var value in values) bag.Add(value);
        return bag;
    }
}

// 2: set-ups for single benchmarks, a step of an iteration for one.
public class Targets
{
    private int[] unsorted, sorted;
    private List<int> list;

    [GlobalSetup(Targets = new[] { nameof(Search), nameof(Contains) })]
    public void SetupSearch() => sorted = Enumerable.Range(0, 100).ToArray();

    [GlobalSetup(Target = nameof(Sort))]
    public void SetupSort() => unsorted = Enumerable.Range(0, 100).Reverse().ToArray();

    [IterationSetup(Target = nameof(Sort))]
    public void Again() => Array.Reverse(unsorted);

    [GlobalSetup(Target = nameof(Clear))]
    public void SetupClear() => list = new List<int> { 1 };

    [Benchmark] public int Search() => Array.BinarySearch(sorted, 7);

    [Benchmark] public bool Contains() => Array.IndexOf(sorted, 7) >= 0;

    [Benchmark] public void Sort() => Array.Sort(unsorted);

    [Benchmark] public void Clear() => list.Clear();

    [GlobalCleanup(Target = nameof(Clear))]
    public void Cleanup() => list = null;
}

// 3: spans, made of arrays and texts.
public class Spans
{
    public static IEnumerable<object[]> Needles()
    {
        yield return new object[] { "abcdef", 'd' };
        yield return new object[] { "abcdefgh", 'z' };
    }

    [Benchmark]
    [ArgumentsSource(nameof(Needles))]
    public int IndexOf(ReadOnlySpan<char> text, char needle) => text.IndexOf(needle);

    [Benchmark]
    [Arguments(new[] { 3, 1, 2 })]
    public int Sum(Span<int> numbers)
    {
        var sum = 0;
        foreach (var n in numbers) sum += n;
        return sum;
    }

    [Benchmark]
    public ReadOnlySpan<char> Trim() => "  x ".AsSpan().Trim();

    [Benchmark]
    public Memory<byte> Slice() => new byte[4].AsMemory(1, 2);
}

// 4: asynchronous bodies and set-ups.
[MemoryDiagnoser(displayGenColumns: false)]
public class Asynchronous
{
    private readonly SemaphoreSlim gate = new SemaphoreSlim(1);
    private Task<int> ready;

    [GlobalSetup]
    public async Task Setup()
    {
        await Task.Delay(1);
        ready = Task.FromResult(3);
    }

    [Benchmark(Baseline = true)] public async Task<int> Awaited() => await ready;

    [Benchmark] public ValueTask<int> Value() => new ValueTask<int>(4);

    [Benchmark]
    public async ValueTask Gate()
    {
        await gate.WaitAsync().ConfigureAwait(false);
        gate.Release();
    }

    [Benchmark] public async Task Yielding() => await Task.Yield();

    [GlobalCleanup]
    public async ValueTask Cleanup() => await Task.CompletedTask;
}

// 5: a configuration with everything that people put into one.
[Config(typeof(Config))]
public class Configured
{
    private class Config : ManualConfig
    {
        public Config()
        {
            AddJob(Job.ShortRun.WithGcServer(true).WithGcForce(false).WithId("ServerGC"), Job.ShortRun.WithGcServer(false).WithId("Workstation").AsBaseline());
            AddColumn(StatisticColumn.P95, StatisticColumn.OperationsPerSecond, new TagColumn("Kind", name => name.Substring(0, 1)), new MyColumn());
            AddColumnProvider(DefaultColumnProviders.Instance);
            AddExporter(CsvExporter.Default, new JsonExporter(indentJson: true), MarkdownExporter.GitHub, new MyExporter());
            AddDiagnoser(MemoryDiagnoser.Default, new DisassemblyDiagnoser(new DisassemblyDiagnoserConfig(maxDepth: 3, printSource: true)), ThreadingDiagnoser.Default);
            AddLogger(ConsoleLogger.Default);
            AddAnalyser(EnvironmentAnalyser.Default);
            AddValidator(ExecutionValidator.FailOnError, ReturnValueValidator.FailOnError);
            AddFilter(new NameFilter(name => name.Length > 0), new SimpleFilter(b => !b.Descriptor.HasCategory("x")));
            Orderer = new DefaultOrderer(SummaryOrderPolicy.SlowestToFastest);
            SummaryStyle = SummaryStyle.Default.WithRatioStyle(RatioStyle.Percentage).WithTimeUnit(TimeUnit.Microsecond);
            WithOptions(ConfigOptions.DisableOptimizationsValidator | ConfigOptions.JoinSummary).WithBuildTimeout(TimeSpan.FromMinutes(5));
            Options |= ConfigOptions.StopOnFirstError;
        }
    }

    [Benchmark] public object New() => new object();
}

// 6: columns, exporters and orders of one's own.
public class MyColumn : IColumn
{
    public string Id => nameof(MyColumn);
    public string ColumnName => "Mine";
    public bool AlwaysShow => true;
    public ColumnCategory Category => ColumnCategory.Custom;
    public int PriorityInCategory => 0;
    public bool IsNumeric => true;
    public UnitType UnitType => UnitType.Dimensionless;
    public string Legend => "of my own";
    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;
    public bool IsAvailable(Summary summary) => true;
    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) => GetValue(summary, benchmarkCase, summary.Style);
    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) =>
        (summary[benchmarkCase].ResultStatistics.Mean / (int)benchmarkCase.Parameters["N"]).ToString("N2") + benchmarkCase.Descriptor.WorkloadMethod.Name;
}

public class MyExporter : ExporterBase
{
    protected override string FileExtension => "txt";

    public override void ExportToLog(Summary summary, ILogger logger)
    {
        foreach (var report in summary.Reports.Where(r => r.Success))
        {
            logger.WriteLine(report.BenchmarkCase.DisplayInfo + " " + report.ResultStatistics.Median);
        }
        logger.WriteLineInfo(summary.Title);
    }
}

[Orderer(SummaryOrderPolicy.Declared)]
public class Ordered
{
    private class MyOrderer : IOrderer
    {
        public bool SeparateLogicalGroups => true;
        public IEnumerable<BenchmarkCase> GetExecutionOrder(ImmutableArray<BenchmarkCase> cases, IEnumerable<BenchmarkLogicalGroupRule> order = null) => cases.OrderBy(c => c.Descriptor.WorkloadMethod.Name);
        public IEnumerable<BenchmarkCase> GetSummaryOrder(ImmutableArray<BenchmarkCase> cases, Summary summary) => cases;
        public string GetHighlightGroupKey(BenchmarkCase benchmarkCase) => null;
        public string GetLogicalGroupKey(ImmutableArray<BenchmarkCase> cases, BenchmarkCase benchmarkCase) => "all";
        public IEnumerable<IGrouping<string, BenchmarkCase>> GetLogicalGroupOrder(IEnumerable<IGrouping<string, BenchmarkCase>> groups, IEnumerable<BenchmarkLogicalGroupRule> order = null) => groups;
    }

    [ParamsSource(nameof(Values))]
    public (string Name, int Value) Pair { get; set; }

    public IEnumerable<(string, int)> Values => new[] { ("a", 1), ("b", 2) };

    [Benchmark] public int Hash() => Pair.GetHashCode();
}

// 7: jobs as attributes.
[SimpleJob(RunStrategy.Monitoring, launchCount: 1, warmupCount: 2, iterationCount: 3)]
[MinColumn, Q1Column, Q3Column, MaxColumn, AllStatisticsColumn, RankColumn]
public class OldJobs
{
    [Benchmark] public int One() => 1;
}

[SimpleJob(RuntimeMoniker.Net472, baseline: true), SimpleJob(RuntimeMoniker.NetCoreApp31), SimpleJob(RuntimeMoniker.Net90), SimpleJob(RuntimeMoniker.NativeAot80), SimpleJob(RuntimeMoniker.Mono10_0)]
[DisassemblyDiagnoser(maxDepth: 2, printSource: true), HardwareCounters(HardwareCounter.BranchMispredictions, HardwareCounter.BranchInstructions)]
public class Monikers
{
    private string text = "42";

    [Benchmark] public int Parse() => int.Parse(text);
}

[ShortRunJob(RuntimeMoniker.NetCoreApp31), MediumRunJob, GcServer(true), GcConcurrent(false), GcForce(false), Outliers(Perfolizer.Mathematics.OutlierDetection.OutlierMode.DontRemove), EvaluateOverhead(false)]
[WarmupCount(3), IterationCount(5), InvocationCount(64), IterationTime(250), MinIterationCount(5), ProcessCount(2), MaxRelativeError(0.01)]
public class ManySettings
{
    [Benchmark] public bool Server() => System.Runtime.GCSettings.IsServerGC;
}

// 8: jobs as objects.
[Config(typeof(ObjectStyle))]
public class Objects
{
    private class ObjectStyle : ManualConfig
    {
        public ObjectStyle()
        {
            Add(new Job(EnvironmentMode.LegacyJitX64, RunMode.Short)
            {
                Environment = { Runtime = CoreRuntime.Core31, Gc = { Server = true, Force = false } },
                Run = { LaunchCount = 3, WarmupCount = 5, IterationTime = TimeInterval.Millisecond * 200, IterationCount = 10 },
                Accuracy = { MaxRelativeError = 0.01 },
            });
            Add(new Job("mine", RunMode.Dry, EnvironmentMode.RyuJitX64) { Environment = { Runtime = CoreRuntime.Core31 } });
            Add(Job.Default.With(new GcMode { Server = false, Concurrent = false, RetainVm = true }).WithId("retain"));
            Add(Job.Default.With(Jit.RyuJit).With(Platform.X64).With(CsProjCoreToolchain.NetCoreApp31).WithMinInvokeCount(4));
            Add(DefaultConfig.Instance.GetJobs().ToArray());
        }
    }

    [Benchmark] public Guid Guid_() => Guid.NewGuid();
}

// 9: an attribute of one's own that is a configuration, with a mutator.
[AttributeUsage(AttributeTargets.Class)]
public class TieredAttribute : Attribute, IConfigSource
{
    public TieredAttribute(params string[] values)
    {
        var config = ManualConfig.CreateEmpty();
        foreach (var value in values)
        {
            config.AddJob(Job.Default.WithEnvironmentVariable("COMPlus_TieredCompilation", value).WithId("Tiered" + value));
        }
        config.AddJob(Job.Default.WithEnvironmentVariables(new EnvironmentVariable("MUTATED", "1")).AsMutator());
        Config = config;
    }

    public IConfig Config { get; }
}

[Tiered("0", "1")]
public class TieredOrNot
{
    [Benchmark(Baseline = true)] public string Name() => Environment.GetEnvironmentVariable("COMPlus_TieredCompilation");

    [Benchmark] public string Other() => "x";
}

// 10: categories with baselines of their own.
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory), CategoriesColumn, AnyCategoriesFilter("A", "B")]
public class ByCategory
{
    [BenchmarkCategory("A"), Benchmark(Baseline = true)] public int A1() => 1;

    [BenchmarkCategory("A"), Benchmark] public int A2() => 2;

    [BenchmarkCategory("B"), Benchmark(Baseline = true)] public int B1() => 3;

    [BenchmarkCategory("B"), Benchmark] public int B2() => 4;
}

// 11: parameters of every kind.
public class AllParams
{
    public enum Mode { Fast, Safe }

    public class Custom
    {
        public Custom(int n) => N = n;
        public int N { get; }
        public override string ToString() => "custom " + N;
    }

    [Params(1, 10, Priority = -1)] public int N { get; set; }

    [ParamsAllValues] public bool Flag;

    [ParamsAllValues] public Mode? Kind { get; set; }

    [ParamsSource(nameof(Customs))] public Custom Value;

    [Params(typeof(int), null)] public Type Type_;

    public static IEnumerable<Custom> Customs() => new[] { new Custom(1), new Custom(2) };

    [Benchmark(Description = "all of them", OperationsPerInvoke = 2)]
    public string All() => N + Flag.ToString() + Kind + Value.N + Type_;
}

// 12: a lazy result, consumed.
public class Lazy
{
    private readonly Consumer consumer = new Consumer();
    private int[] numbers = Enumerable.Range(0, 10).ToArray();

    [Benchmark] public void Linq() => numbers.Where(n => n > 3).Select(n => n * 2).Consume(consumer);

    [Benchmark] public void Plain() => ((IEnumerable)numbers).Consume(consumer);

    [Benchmark]
    public void ByHand()
    {
        foreach (var n in numbers) consumer.Consume(n);
        DeadCodeEliminationHelper.KeepAliveWithoutBoxing(numbers.Length);
    }
}

// 13: pointers, references, large structures.
public unsafe class Low
{
    public struct Big { public long A, B, C, D, E; }

    private Big big;
    private readonly byte[] bytes = new byte[64];

    [Benchmark] public ref Big Reference() => ref big;

    [Benchmark] public Big Copy() => big;

    [Benchmark]
    public int Fixed()
    {
        fixed (byte* p = bytes) return p[3];
    }

    [Benchmark] public (int, string, Big) Tuple() => (1, "x", big);

    [Benchmark] public IntPtr Pointer() => new IntPtr(3);

    [Benchmark] public void* Raw() => (void*)7;
}

// 14: a static class of benchmarks, inherited ones, private ones.
public class BaseOfOthers
{
    [Benchmark] public virtual int Virtual() => 1;

    [Benchmark] public static int Static() => 2;
}

public class Inheriting : BaseOfOthers
{
    public override int Virtual() => 3;

    [Benchmark] public new string ToString() => "x";
}

// 15: something to throw away, per iteration.
[MemoryDiagnoser, RunOncePerIteration]
public class Streams
{
    private MemoryStream stream;

    [IterationSetup] public void Open() => stream = new MemoryStream(1024);

    [IterationCleanup] public void Close() => stream.Dispose();

    [Benchmark] public void Write() => stream.Write(new byte[512], 0, 512);
}

// 16: regular expressions and texts with odd characters.
public class Odd
{
    [Params("a|b", "x\ty", "\u00e4\ud83d\ude00", "", "comma, [bracket]")] public string Pattern { get; set; }

    [Benchmark] public bool Match() => Regex.IsMatch("ab", Regex.Escape(Pattern));
}

// 17: nullable arguments, defaults, enumerations, arrays of arrays.
public class Arguments_
{
    [Benchmark]
    [Arguments(null, DayOfWeek.Friday, 1.5f, 'c')]
    [Arguments("x", DayOfWeek.Monday, 2.5f, '\n')]
    public int Several(string text, DayOfWeek day, float number, char letter) => (text?.Length ?? 0) + (int)day;

    [Benchmark, ArgumentsSource(nameof(Arrays))]
    public int Nested(int[][] arrays) => arrays.Length;

    public IEnumerable<object> Arrays()
    {
        yield return new[] { new[] { 1 }, new[] { 2, 3 } };
        yield return new int[0][];
    }
}

// 18: memory randomization, as the performance repository of .NET has it.
[MemoryRandomization]
public class Randomized
{
    private int[] array;

    [GlobalSetup] public void Setup() => array = ArrayPool<int>.Shared.Rent(64);

    [Benchmark] public void Fill() => Array.Clear(array, 0, array.Length);

    [GlobalCleanup] public void Cleanup() => ArrayPool<int>.Shared.Return(array);
}

// 19: threads, locks, time.
[ThreadingDiagnoser, ExceptionDiagnoser, EventPipeProfiler(EventPipeProfile.CpuSampling)]
public class Threads
{
    private readonly object sync = new object();
    private int count;

    [Benchmark]
    public int Locked()
    {
        lock (sync) return ++count;
    }

    [Benchmark] public int Interlocked_() => Interlocked.Increment(ref count);

    [Benchmark]
    public bool Catches()
    {
        try
        {
            throw new InvalidOperationException();
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }
}

// 20: hashing, with the data prepared in the constructor.
public class Md5VsSha256
{
    private readonly byte[] data = new byte[1000];
    private readonly SHA256 sha256 = SHA256.Create();
    private readonly MD5 md5 = MD5.Create();

    public Md5VsSha256() => new Random(42).NextBytes(data);

    [Benchmark] public byte[] Sha256() => sha256.ComputeHash(data);

    [Benchmark] public byte[] Md5() => md5.ComputeHash(data);
}

public static class Program
{
    public static void Run(string[] args)
    {
        var config = ManualConfig.Create(DefaultConfig.Instance)
            .WithOptions(ConfigOptions.DisableLogFile)
            .AddExporter(RPlotExporter.Default)
            .HideColumns(Column.Error, Column.StdDev)
            .WithArtifactsPath("results");
        BenchmarkSwitcher.FromTypes(Classes.In("Styles")).Run(args, config);
    }
}
