// Jobs and settings under BenchmarkDotNet's names. The host decides how long to measure: `tare run --quick`, `--long`, `--precision`.

using System;
using System.Linq;

namespace Tare
{
    /// <summary>Runtimes that a job can request. A job on a runtime that is not installed is left out, with a warning.</summary>
    public enum RuntimeMoniker
    {
        /// <summary>The program's runtime.</summary>
        HostProcess,

        /// <summary>.NET Core 3.1.</summary>
        NetCoreApp31,

        /// <summary>.NET 5.</summary>
        Net50,

        /// <summary>.NET 6.</summary>
        Net60,

        /// <summary>.NET 7.</summary>
        Net70,

        /// <summary>.NET 8.</summary>
        Net80,

        /// <summary>.NET 9.</summary>
        Net90,

        /// <summary>.NET 10.</summary>
        Net10_0,

        /// <summary>.NET 11.</summary>
        Net11_0,

        /// <summary>Compiled ahead of time by .NET 8.</summary>
        NativeAot80,

        /// <summary>Compiled ahead of time by .NET 9.</summary>
        NativeAot90,

        /// <summary>Compiled ahead of time by .NET 10.</summary>
        NativeAot10_0,

        /// <summary>Compiled ahead of time by .NET 11.</summary>
        NativeAot11_0,
    }

    /// <summary>A job on a runtime, or with its own strategy. If it has no name, tables show the name of its runtime or strategy.</summary>
    public class SimpleJobAttribute : JobAttribute
    {
        /// <summary>On a runtime.</summary>
        public SimpleJobAttribute(RuntimeMoniker runtimeMoniker = RuntimeMoniker.HostProcess, string id = null, bool baseline = false)
            : this(Strategy.Throughput, runtimeMoniker, id, baseline)
        {
        }

        /// <summary>With a strategy, on the program's runtime.</summary>
        public SimpleJobAttribute(Strategy strategy, string id = null, bool baseline = false)
            : this(strategy, RuntimeMoniker.HostProcess, id, baseline)
        {
        }

        /// <summary>With a strategy, on a runtime.</summary>
        public SimpleJobAttribute(Strategy strategy, RuntimeMoniker runtimeMoniker, string id = null, bool baseline = false)
            : base(id ?? NameOf(runtimeMoniker) ?? (strategy == Strategy.Throughput ? "SimpleJob" : strategy.ToString()))
        {
            Runtime = WordOf(runtimeMoniker);
            Baseline = baseline;
            if (strategy != Strategy.Throughput)
            {
                Settings.Add(new SettingAttribute(strategy));
            }
        }

        /// <summary>As `tare` calls it; null: the runtime of the program.</summary>
        private static string WordOf(RuntimeMoniker moniker)
        {
            return moniker == RuntimeMoniker.HostProcess ? null : (IsNative(moniker) ? "nativeaot" : string.Empty) + RuntimeNames.Version(DigitsOf(moniker));
        }

        /// <summary>For tables.</summary>
        private static string NameOf(RuntimeMoniker moniker)
        {
            var version = RuntimeNames.Version(DigitsOf(moniker));
            return moniker == RuntimeMoniker.HostProcess ? null : IsNative(moniker) ? "NativeAOT " + version : RuntimeNames.Core(version);
        }

        private static bool IsNative(RuntimeMoniker moniker) => moniker >= RuntimeMoniker.NativeAot80;

        /// <summary>`31` of `NetCoreApp31`, `10_0` of `Net10_0`.</summary>
        private static string DigitsOf(RuntimeMoniker moniker) => new string(moniker.ToString().SkipWhile(c => !char.IsDigit(c)).ToArray());
    }

    /// <summary>Names of runtimes by the digits of BenchmarkDotNet's monikers.</summary>
    public static class RuntimeNames
    {
        /// <summary>`8.0` of `80`, `10.0` of `10_0`.</summary>
        public static string Version(string digits)
        {
            return digits.Contains("_") ? digits.Replace('_', '.') : digits.Length == 0 ? digits : digits.Insert(digits.Length - 1, ".");
        }

        /// <summary>`.NET Core 3.1`, `.NET 8.0`.</summary>
        public static string Core(string version) => (version[1] == '.' && version[0] < '5' ? ".NET Core " : ".NET ") + version;

        /// <summary>`.NET Framework 4.7.2` of `472`.</summary>
        public static string Framework(string digits) => ".NET Framework " + string.Join(".", digits.ToCharArray());
    }

    /// <summary>Only the first call of each process.</summary>
    public class DryJobAttribute : SimpleJobAttribute
    {
        /// <summary>On a runtime.</summary>
        public DryJobAttribute(RuntimeMoniker runtimeMoniker = RuntimeMoniker.HostProcess, bool baseline = false)
            : base(Strategy.ColdStart, runtimeMoniker, runtimeMoniker == RuntimeMoniker.HostProcess ? "Dry" : null, baseline)
        {
        }
    }

    /// <summary>Server garbage collection, with one heap per processor. The setting of a class replaces the setting of its base class.</summary>
    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
    public class GcServerAttribute : SettingAttribute
    {
        /// <summary>On or off.</summary>
        public GcServerAttribute(bool value = false)
            : base("DOTNET_gcServer", value ? "1" : "0")
        {
        }
    }

    /// <summary>Concurrent garbage collection. The setting of a class replaces the setting of its base class.</summary>
    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
    public class GcConcurrentAttribute : SettingAttribute
    {
        /// <summary>On or off.</summary>
        public GcConcurrentAttribute(bool value = false)
            : base("DOTNET_gcConcurrent", value ? "1" : "0")
        {
        }
    }

    /// <summary>The maximum of calls per iteration, after an iteration set-up that prepared no more. Without an iteration set-up it has no effect.</summary>
    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
    public class InvocationCountAttribute : SettingAttribute
    {
        /// <summary>At most this many calls.</summary>
        public InvocationCountAttribute(int invocationCount)
            : base(invocationCount)
        {
        }
    }

    /// <summary>One call after each iteration set-up. Without an iteration set-up it has no effect.</summary>
    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
    public class RunOncePerIterationAttribute : SettingAttribute
    {
        /// <summary>Exactly one call.</summary>
        public RunOncePerIterationAttribute()
            : base(1)
        {
        }
    }
}
