// What code is given of a run and of its benchmarks. The results are in the table and in the run's document: nothing of them is here.

using System;
using System.Collections.Generic;
using System.Reflection;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;

namespace BenchmarkDotNet.Reports
{
    /// <summary>What became of a run.</summary>
    public class Summary
    {
        internal Summary(int exitCode)
        {
            HasCriticalValidationErrors = exitCode != 0;
        }

        public string Title => string.Empty;

        public string ResultsDirectoryPath => ".tare";

        public string LogFilePath => string.Empty;

        public TimeSpan TotalTime => TimeSpan.Zero;

        public bool HasCriticalValidationErrors { get; }

        public IReadOnlyList<ValidationError> ValidationErrors => new ValidationError[0];

        public IReadOnlyList<BenchmarkReport> Reports => new BenchmarkReport[0];

        public IReadOnlyList<BenchmarkCase> BenchmarksCases => new BenchmarkCase[0];

        public SummaryTable Table => new SummaryTable();

        public SummaryStyle Style => SummaryStyle.Default;

        public BenchmarkReport this[BenchmarkCase benchmarkCase] => null;

        public int GetNumberOfExecutedBenchmarks() => 0;

        public bool HasReport(BenchmarkCase benchmarkCase) => false;
    }

    public class SummaryTable
    {
        public string[] FullHeader => new string[0];

        public string[][] FullContent => new string[0][];
    }

    public sealed class BenchmarkReport
    {
        public bool Success => false;

        public BenchmarkCase BenchmarkCase => null;

        public Statistics ResultStatistics => null;

        public IReadOnlyList<Measurement> AllMeasurements => new Measurement[0];

        public IReadOnlyDictionary<string, Metric> Metrics => new Dictionary<string, Metric>();

        public Engines.GcStats GcStats => default(Engines.GcStats);

        public IReadOnlyList<Measurement> GetResultRuns() => new Measurement[0];
    }

    public struct Measurement
    {
        public double Nanoseconds => double.NaN;

        public long Operations => 0;

        public int LaunchIndex => 0;

        public int IterationIndex => 0;
    }

    public class Metric
    {
        public Metric(Diagnosers.IMetricDescriptor descriptor, double value)
        {
            Descriptor = descriptor;
            Value = value;
        }

        public Diagnosers.IMetricDescriptor Descriptor { get; }

        public double Value { get; }
    }

    public class SummaryStyle
    {
        public static readonly SummaryStyle Default = new SummaryStyle(null, false, null, null);

        public SummaryStyle(object cultureInfo, bool printUnitsInHeader, object sizeUnit, object timeUnit, bool printUnitsInContent = true, bool printZeroValuesInContent = false,
            int maxParameterColumnWidth = 20, Columns.RatioStyle ratioStyle = Columns.RatioStyle.Value)
        {
        }

        public SummaryStyle WithRatioStyle(Columns.RatioStyle ratioStyle) => this;

        public SummaryStyle WithMaxParameterColumnWidth(int maxParameterColumnWidth) => this;

        public SummaryStyle WithTimeUnit(object timeUnit) => this;

        public SummaryStyle WithSizeUnit(object sizeUnit) => this;

        public SummaryStyle WithZeroMetricValuesInContent() => this;

        public SummaryStyle WithCultureInfo(object cultureInfo) => this;
    }
}

namespace BenchmarkDotNet.Engines
{
    public struct GcStats
    {
        public int Gen0Collections => 0;

        public int Gen1Collections => 0;

        public int Gen2Collections => 0;

        public long TotalOperations => 0;

        public long? GetBytesAllocatedPerOperation(BenchmarkCase benchmarkCase) => null;
    }
}

namespace BenchmarkDotNet.Running
{
    /// <summary>What columns, filters and orders of the user's own are written for.</summary>
    public class BenchmarkCase : IComparable<BenchmarkCase>
    {
        private BenchmarkCase()
        {
        }

        public Descriptor Descriptor => null;

        public Job Job => Job.Default;

        public ParameterInstances Parameters => null;

        public bool HasParameters => false;

        public bool HasArguments => false;

        public IConfig Config => null;

        public string DisplayInfo => string.Empty;

        public string FolderInfo => string.Empty;

        public int CompareTo(BenchmarkCase other) => 0;
    }

    public class Descriptor
    {
        private Descriptor()
        {
        }

        public Type Type => null;

        public MethodInfo WorkloadMethod => null;

        public MethodInfo GlobalSetupMethod => null;

        public string WorkloadMethodDisplayInfo => string.Empty;

        public string DisplayInfo => string.Empty;

        public string AdditionalLogic => string.Empty;

        public int OperationsPerInvoke => 1;

        public bool Baseline => false;

        public string[] Categories => new string[0];

        public bool HasCategory(string category) => false;
    }

    public class ParameterInstances
    {
        private ParameterInstances()
        {
        }

        public IReadOnlyList<ParameterInstance> Items => new ParameterInstance[0];

        public int Count => 0;

        public string DisplayInfo => string.Empty;

        public string ValueInfo => string.Empty;

        public object this[string name] => null;

        public ParameterInstance this[int index] => null;
    }

    public class ParameterInstance
    {
        private ParameterInstance()
        {
        }

        public string Name => string.Empty;

        public object Value => null;

        public bool IsArgument => false;

        public string ToDisplayText() => string.Empty;
    }
}
