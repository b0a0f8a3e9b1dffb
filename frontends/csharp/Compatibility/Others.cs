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

namespace BenchmarkDotNet.Toolchains.CsProj
{
    public class CsProjCoreToolchain
    {
        public static readonly CsProjCoreToolchain NetCoreApp31 = new CsProjCoreToolchain(), NetCoreApp50 = NetCoreApp31, NetCoreApp60 = NetCoreApp31,
            NetCoreApp70 = NetCoreApp31, NetCoreApp80 = NetCoreApp31, NetCoreApp90 = NetCoreApp31;
    }
}
