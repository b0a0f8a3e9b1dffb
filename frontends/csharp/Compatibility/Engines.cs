// What benchmark classes use of the engine, the order of rows, and statistics.

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

        [MethodImpl(MethodImplOptions.NoInlining)]
        public unsafe void Consume<T>(T* value)
            where T : unmanaged
        {
        }

        public void Consume(string value) => reference = value;

        public void Consume(object value) => reference = value;

        public void Clear() => reference = null;
    }

    public static class DeferredExecutionExtensions
    {
        public static void Consume(this System.Collections.IEnumerable values, Consumer consumer)
        {
            foreach (var value in values)
            {
                consumer.Consume(value);
            }
        }

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

    public interface IOrderer
    {
    }

    public class DefaultOrderer : IOrderer
    {
        public static readonly IOrderer Instance = new DefaultOrderer();

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

    /// <summary>What is computed of a benchmark; there is none in the program that handed itself to `tare`.</summary>
    public class Statistics
    {
        public double Mean => double.NaN;

        public double Median => double.NaN;

        public double StandardDeviation => double.NaN;

        public double StandardError => double.NaN;

        public double Variance => double.NaN;

        public double Min => double.NaN;

        public double Max => double.NaN;

        public double Q1 => double.NaN;

        public double Q3 => double.NaN;

        public int N => 0;

        public PercentileValues Percentiles => new PercentileValues();
    }

    public class PercentileValues
    {
        public double P0 => double.NaN;

        public double P25 => double.NaN;

        public double P50 => double.NaN;

        public double P67 => double.NaN;

        public double P80 => double.NaN;

        public double P85 => double.NaN;

        public double P90 => double.NaN;

        public double P95 => double.NaN;

        public double P100 => double.NaN;

        public double Percentile(int percentile) => double.NaN;
    }
}
