// What benchmark classes use of the engine, and names that configurations mention.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace BenchmarkDotNet.Engines
{
    public enum RunStrategy
    {
        Throughput, ColdStart, Monitoring,
    }

    /// <summary>Takes values so that they are computed.</summary>
    public class Consumer
    {
        private static object reference;

        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Consume<T>(T value)
        {
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Consume<T>(in T value)
        {
        }

        public void Consume(string value) => reference = value;

        public void Consume(object value) => reference = value;

        public void Clear() => reference = null;
    }

    public static class DeferredExecutionExtensions
    {
        public static void Consume<T>(this IEnumerable<T> values, Consumer consumer)
        {
            foreach (var value in values)
            {
                consumer.Consume(value);
            }
        }
    }

    public static class DeadCodeEliminationHelper
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void KeepAliveWithoutBoxing<T>(T value)
        {
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void KeepAliveWithoutBoxing<T>(ref T value)
        {
        }
    }
}

namespace BenchmarkDotNet.Order
{
    public enum SummaryOrderPolicy
    {
        Default, FastestToSlowest, SlowestToFastest, Method, Declared,
    }

    public enum MethodOrderPolicy
    {
        Declared, Alphabetical,
    }

    public class DefaultOrderer
    {
        public DefaultOrderer(SummaryOrderPolicy summaryOrderPolicy = SummaryOrderPolicy.Default, MethodOrderPolicy methodOrderPolicy = MethodOrderPolicy.Declared)
        {
        }
    }
}

namespace BenchmarkDotNet.Mathematics
{
    public enum OutlierMode
    {
        DontRemove, RemoveUpper, RemoveLower, RemoveAll, None, OnlyUpper, OnlyLower, All,
    }

    public enum NumeralSystem
    {
        Arabic, Roman, Stars,
    }
}

namespace BenchmarkDotNet.Columns
{
    public enum RatioStyle
    {
        Value, Percentage, Trend,
    }

    public interface IColumn
    {
    }

    /// <summary>Names of columns that attributes mention.</summary>
    public static class Column
    {
        public const string Namespace = "Namespace", Type = "Type", Method = "Method", Job = "Job", Runtime = "Runtime", Toolchain = "Toolchain";
        public const string Platform = "Platform", Jit = "Jit", Mean = "Mean", Error = "Error", StdDev = "StdDev", StdErr = "StdErr";
        public const string Median = "Median", Min = "Min", Max = "Max", Q1 = "Q1", Q3 = "Q3", P0 = "P0";
        public const string P25 = "P25", P50 = "P50", P67 = "P67", P80 = "P80", P85 = "P85", P90 = "P90";
        public const string P95 = "P95", P100 = "P100", Ratio = "Ratio", RatioSD = "RatioSD", AllocRatio = "AllocRatio", Alloc = "Alloc";
        public const string Allocated = "Allocated", Gen0 = "Gen0", Gen1 = "Gen1", Gen2 = "Gen2", Rank = "Rank", Baseline = "Baseline";
        public const string Categories = "Categories", OperationPerSecond = "OperationPerSecond", Skewness = "Skewness", Kurtosis = "Kurtosis", MValue = "MValue", Iterations = "Iterations";
        public const string LogicalGroup = "LogicalGroup", LaunchCount = "LaunchCount", WarmupCount = "WarmupCount", IterationCount = "IterationCount", InvocationCount = "InvocationCount", UnrollFactor = "UnrollFactor";
        public const string RunStrategy = "RunStrategy", Arguments = "Arguments", EnvironmentVariables = "EnvironmentVariables", Id = "Id";
    }

    /// <summary>Names of columns; the table has those that say something.</summary>
    public class StatisticColumn : IColumn
    {
        public static readonly IColumn Mean = new StatisticColumn(), StdErr = Mean, StdDev = Mean, Error = Mean, OperationsPerSecond = Mean, Min = Mean, Q1 = Mean, Median = Mean,
            Q3 = Mean, Max = Mean, P0 = Mean, P25 = Mean, P50 = Mean, P67 = Mean, P80 = Mean, P85 = Mean, P90 = Mean, P95 = Mean, P100 = Mean, Skewness = Mean,
            Kurtosis = Mean, MValue = Mean, Iterations = Mean;

        public static readonly IColumn[] AllStatistics = { Mean };
    }

    public class RankColumn : IColumn
    {
        public static readonly IColumn Arabic = new RankColumn(), Roman = Arabic, Stars = Arabic;
    }

    public class BaselineRatioColumn : IColumn
    {
        public static readonly IColumn RatioMean = new BaselineRatioColumn(), RatioStdDev = RatioMean;
    }

    public class CategoriesColumn : IColumn
    {
        public static readonly IColumn Default = new CategoriesColumn();
    }

    public class TargetMethodColumn : IColumn
    {
        public static readonly IColumn Method = new TargetMethodColumn(), Type = Method, Namespace = Method;
    }

    public static class DefaultColumnProviders
    {
        public static readonly object[] Instance = new object[0];
    }
}

namespace BenchmarkDotNet.Diagnosers
{
    public interface IDiagnoser
    {
    }

    public enum HardwareCounter
    {
        NotSet, Timer, TotalIssues, BranchInstructions, CacheMisses, BranchMispredictions, TotalCycles, UnhaltedCoreCycles, InstructionRetired,
        UnhaltedReferenceCycles, LlcReference, LlcMisses, BranchInstructionRetired, BranchMispredictsRetired,
    }

    /// <summary>Allocated bytes are counted in every visit.</summary>
    public class MemoryDiagnoser : IDiagnoser
    {
        public static readonly MemoryDiagnoser Default = new MemoryDiagnoser(null);

        public MemoryDiagnoser(MemoryDiagnoserConfig config)
        {
        }
    }

    public class MemoryDiagnoserConfig
    {
        public MemoryDiagnoserConfig(bool displayGenColumns = true)
        {
        }
    }

    public class ThreadingDiagnoser : IDiagnoser
    {
        public static readonly ThreadingDiagnoser Default = new ThreadingDiagnoser();
    }

    public class ExceptionDiagnoser : IDiagnoser
    {
        public static readonly ExceptionDiagnoser Default = new ExceptionDiagnoser();
    }

    public enum DisassemblySyntax
    {
        Masm, Intel, Att,
    }

    public class DisassemblyDiagnoserConfig
    {
        public DisassemblyDiagnoserConfig(int maxDepth = 1)
        {
        }
    }

    public class DisassemblyDiagnoser : IDiagnoser
    {
        public DisassemblyDiagnoser(DisassemblyDiagnoserConfig config)
        {
        }
    }
}

namespace BenchmarkDotNet.Exporters
{
    public interface IExporter
    {
    }

    public class MarkdownExporter : IExporter
    {
        public static readonly IExporter Default = new MarkdownExporter(), Console = Default, StackOverflow = Default, GitHub = Default, Atlassian = Default;
    }

    public class HtmlExporter : IExporter
    {
        public static readonly IExporter Default = new HtmlExporter();
    }

    public class RPlotExporter : IExporter
    {
        public static readonly IExporter Default = new RPlotExporter();
    }

    public class AsciiDocExporter : IExporter
    {
        public static readonly IExporter Default = new AsciiDocExporter();
    }

    public class PlainExporter : IExporter
    {
        public static readonly IExporter Default = new PlainExporter();
    }
}

namespace BenchmarkDotNet.Exporters.Csv
{
    public enum CsvSeparator
    {
        CurrentCulture, Comma, Semicolon,
    }

    public class CsvExporter : IExporter
    {
        public static readonly IExporter Default = new CsvExporter();
    }

    public class CsvMeasurementsExporter : IExporter
    {
        public static readonly IExporter Default = new CsvMeasurementsExporter();
    }
}

namespace BenchmarkDotNet.Exporters.Json
{
    public class JsonExporter : IExporter
    {
        public static readonly IExporter Brief = new JsonExporter(), BriefCompressed = Brief, Full = Brief, FullCompressed = Brief, Default = Brief;
    }
}

namespace BenchmarkDotNet.Exporters.Xml
{
    public class XmlExporter : IExporter
    {
        public static readonly IExporter Default = new XmlExporter(), Brief = Default, Full = Default;
    }
}

namespace BenchmarkDotNet.Loggers
{
    public interface ILogger
    {
    }

    public class ConsoleLogger : ILogger
    {
        public static readonly ILogger Default = new ConsoleLogger(), Unicode = Default, Ascii = Default;
    }

    public class NullLogger : ILogger
    {
        public static readonly ILogger Instance = new NullLogger();
    }
}

namespace BenchmarkDotNet.Validators
{
    public class JitOptimizationsValidator
    {
        public static readonly JitOptimizationsValidator DontFailOnError = new JitOptimizationsValidator(), FailOnError = DontFailOnError;
    }

    public class ExecutionValidator
    {
        public static readonly ExecutionValidator DontFailOnError = new ExecutionValidator(), FailOnError = DontFailOnError;
    }

    public class ReturnValueValidator
    {
        public static readonly ReturnValueValidator DontFailOnError = new ReturnValueValidator(), FailOnError = DontFailOnError;
    }
}

namespace BenchmarkDotNet.Toolchains.InProcess.Emit
{
    public class InProcessEmitToolchain
    {
        public static readonly InProcessEmitToolchain Instance = new InProcessEmitToolchain();
    }
}

namespace BenchmarkDotNet.Toolchains.InProcess.NoEmit
{
    public class InProcessNoEmitToolchain
    {
        public static readonly InProcessNoEmitToolchain Instance = new InProcessNoEmitToolchain();
    }
}
