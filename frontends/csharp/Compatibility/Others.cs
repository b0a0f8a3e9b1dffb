// Names of packages that BenchmarkDotNet brings with it, as far as configurations mention them.

using System;

namespace Perfolizer.Horology
{
    /// <summary>A length of time.</summary>
    public struct TimeInterval
    {
        public TimeInterval(double nanoseconds)
        {
            Nanoseconds = nanoseconds;
        }

        public static TimeInterval Nanosecond => new TimeInterval(1);

        public static TimeInterval Microsecond => new TimeInterval(1e3);

        public static TimeInterval Millisecond => new TimeInterval(1e6);

        public static TimeInterval Second => new TimeInterval(1e9);

        public double Nanoseconds { get; }

        public static TimeInterval operator *(TimeInterval interval, double factor) => new TimeInterval(interval.Nanoseconds * factor);

        public static TimeInterval FromNanoseconds(double value) => new TimeInterval(value);

        public static TimeInterval FromMicroseconds(double value) => new TimeInterval(value * 1e3);

        public static TimeInterval FromMilliseconds(double value) => new TimeInterval(value * 1e6);

        public static TimeInterval FromSeconds(double value) => new TimeInterval(value * 1e9);

        public TimeSpan ToTimeSpan() => TimeSpan.FromTicks((long)(Nanoseconds / 100));
    }

    /// <summary>Units of times in tables.</summary>
    public class TimeUnit
    {
        public static readonly TimeUnit Nanosecond = new TimeUnit(), Microsecond = new TimeUnit(), Millisecond = new TimeUnit(), Second = new TimeUnit();
    }
}

namespace Perfolizer.Mathematics.OutlierDetection
{
    public enum OutlierMode
    {
        DontRemove, RemoveUpper, RemoveLower, RemoveAll,
    }
}

namespace Perfolizer.Mathematics.Common
{
    public enum ConfidenceLevel
    {
        L50, L70, L75, L80, L85, L90, L92, L95, L96, L97, L98, L99, L999, L9999, L99999,
    }
}

namespace BenchmarkDotNet.Toolchains
{
    public interface IToolchain
    {
    }

    public abstract class Toolchain : IToolchain
    {
    }
}

namespace BenchmarkDotNet.Toolchains.DotNetCli
{
    public class NetCoreAppSettings
    {
        public static readonly NetCoreAppSettings NetCoreApp31 = new NetCoreAppSettings("netcoreapp3.1", null, null), NetCoreApp50 = NetCoreApp31, NetCoreApp60 = NetCoreApp31,
            NetCoreApp70 = NetCoreApp31, NetCoreApp80 = NetCoreApp31, NetCoreApp90 = NetCoreApp31, NetCoreApp10_0 = NetCoreApp31;

        public NetCoreAppSettings(string targetFrameworkMoniker, string runtimeFrameworkVersion, string name, string customDotNetCliPath = null)
        {
        }
    }
}

namespace BenchmarkDotNet.Toolchains.CsProj
{
    public class CsProjCoreToolchain : Toolchain
    {
        public static readonly CsProjCoreToolchain NetCoreApp31 = new CsProjCoreToolchain(), NetCoreApp50 = NetCoreApp31, NetCoreApp60 = NetCoreApp31,
            NetCoreApp70 = NetCoreApp31, NetCoreApp80 = NetCoreApp31, NetCoreApp90 = NetCoreApp31, NetCoreApp10_0 = NetCoreApp31;

        public static CsProjCoreToolchain From(DotNetCli.NetCoreAppSettings settings) => NetCoreApp31;
    }

    public class CsProjClassicNetToolchain : Toolchain
    {
        public static readonly CsProjClassicNetToolchain Net461 = new CsProjClassicNetToolchain(), Net462 = Net461, Net47 = Net461, Net471 = Net461, Net472 = Net461, Net48 = Net461,
            Net481 = Net461;
    }
}

namespace BenchmarkDotNet.Toolchains.CoreRun
{
    public class CoreRunToolchain : Toolchain
    {
        public CoreRunToolchain(System.IO.FileInfo coreRun, bool createCopy = true, string targetFrameworkMoniker = "netcoreapp3.1", System.IO.FileInfo customDotNetCliPath = null, string displayName = "CoreRun")
        {
        }
    }
}

namespace BenchmarkDotNet.Toolchains.NativeAot
{
    public class NativeAotToolchain : Toolchain
    {
        public static readonly NativeAotToolchain Net60 = new NativeAotToolchain(), Net70 = Net60, Net80 = Net60, Net90 = Net60, Net10_0 = Net60;
    }
}

namespace BenchmarkDotNet.Toolchains.InProcess.Emit
{
    public class InProcessEmitToolchain : Toolchain
    {
        public static readonly InProcessEmitToolchain Instance = new InProcessEmitToolchain();
    }
}

namespace BenchmarkDotNet.Toolchains.InProcess.NoEmit
{
    public class InProcessNoEmitToolchain : Toolchain
    {
        public static readonly InProcessNoEmitToolchain Instance = new InProcessNoEmitToolchain();
    }
}

// Namespaces that source mentions with `using` and needs nothing else of.
namespace BenchmarkDotNet.Analysers
{
    public interface IAnalyser
    {
    }

    public static class EnvironmentAnalyser
    {
        public static readonly object Default = new object();
    }
}

namespace BenchmarkDotNet.Attributes.Jobs
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Attributes.Columns
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Attributes.Exporters
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Extensions
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Helpers
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Parameters
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Portability
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Characteristics
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Exporters.OpenMetrics
{
    public static class Unused
    {
    }
}

namespace BenchmarkDotNet.Toolchains.InProcess
{
    public class InProcessToolchain : Toolchain
    {
        public static readonly InProcessToolchain Instance = new InProcessToolchain();
    }
}
