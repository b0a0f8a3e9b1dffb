// Columns: the table has those that say something, whatever a configuration names.

using System;

namespace BenchmarkDotNet.Columns
{
    public enum RatioStyle
    {
        Value, Percentage, Trend,
    }

    public interface IColumn
    {
    }

    public interface IColumnProvider
    {
    }

    public interface IColumnHidingRule
    {
    }

    public enum ColumnCategory
    {
        Job, Params, Meta, Statistics, Baseline, Custom, Diagnoser, Metric,
    }

    public enum UnitType
    {
        Dimensionless, Time, Size, CodeSize,
    }

    public class SizeUnit
    {
        public static readonly SizeUnit B = new SizeUnit(), KB = new SizeUnit(), MB = new SizeUnit(), GB = new SizeUnit(), TB = new SizeUnit();
    }

    /// <summary>A column whose text comes from the name of the method.</summary>
    public class TagColumn : IColumn
    {
        public TagColumn(string columnName, Func<string, string> getTag)
        {
            ColumnName = columnName;
        }

        public string ColumnName { get; }
    }

    public class JobCharacteristicColumn : IColumn
    {
        public static readonly IColumn[] AllColumns = new IColumn[0];
    }

    public class LogicalGroupColumn : IColumn
    {
        public static readonly IColumn Default = new LogicalGroupColumn();
    }

    public class BaselineColumn : IColumn
    {
        public static readonly IColumn Default = new BaselineColumn();
    }

    public class CompositeColumnProvider : IColumnProvider
    {
        public CompositeColumnProvider(params IColumnProvider[] providers)
        {
        }
    }

    public class SimpleColumnProvider : IColumnProvider
    {
        public SimpleColumnProvider(params IColumn[] columns)
        {
        }
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
        public static readonly IColumn Mean = new StatisticColumn(), StdErr = Mean, StdDev = Mean, Error = Mean, OperationsPerSecond = Mean, OperationPerSecond = Mean, Min = Mean, Q1 = Mean, Median = Mean,
            Q3 = Mean, Max = Mean, P0 = Mean, P25 = Mean, P50 = Mean, P67 = Mean, P80 = Mean, P85 = Mean, P90 = Mean, P95 = Mean, P100 = Mean, Skewness = Mean,
            Kurtosis = Mean, MValue = Mean, Iterations = Mean;

        public static readonly IColumn[] AllStatistics = { Mean };

        public static IColumn CiLower(object level) => Mean;

        public static IColumn CiUpper(object level) => Mean;

        public static IColumn CiError(object level) => Mean;
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
        public static readonly IColumnProvider[] Instance = { Descriptor };

        public static IColumnProvider Descriptor => new SimpleColumnProvider();

        public static IColumnProvider Job => Descriptor;

        public static IColumnProvider Statistics => Descriptor;

        public static IColumnProvider Params => Descriptor;

        public static IColumnProvider Metrics => Descriptor;
    }

    public class StatisticalTestColumn : IColumn
    {
        public StatisticalTestColumn(object threshold, bool showPValues = false)
        {
        }

        public static StatisticalTestColumn Create(object threshold, object significanceLevel = null) => new StatisticalTestColumn(threshold);

        public static StatisticalTestColumn CreateDefault() => new StatisticalTestColumn(null);
    }
}
