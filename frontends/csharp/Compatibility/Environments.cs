// Runtimes, platforms and compilers under their names in BenchmarkDotNet.

using System;

namespace BenchmarkDotNet.Environments
{
    public enum Jit
    {
        Default, LegacyJit, RyuJit, Llvm,
    }

    public enum Platform
    {
        AnyCpu, X86, X64, Arm, Arm64, Wasm, S390x, LoongArch64, Armv6, Ppc64le, RiscV64,
    }

    public enum PowerPlan
    {
        UserPowerPlan, Ultimate, PowerSaver, HighPerformance, Balanced, UltimatePerformance,
    }

    public class Runtime
    {
        public static readonly Runtime Core = new Runtime(null, ".NET"), Clr = new Runtime("net48", ".NET Framework"), Mono = new MonoRuntime("Mono", null), CoreRT = new Runtime("nativeaot", "CoreRT");

        internal Runtime(string word, string name)
        {
            Word = word;
            Name = name;
        }

        public string Name { get; }

        /// <summary>As `tare` calls it; null: the runtime of the program.</summary>
        internal string Word { get; }

        public override string ToString() => Name;

        /// <summary>The runtime of a moniker, such as `Net80`; null: that of the program.</summary>
        internal static Runtime Of(Jobs.RuntimeMoniker moniker)
        {
            var text = moniker.ToString();
            if (text.StartsWith("NativeAot", StringComparison.Ordinal))
            {
                return new Runtime("nativeaot" + Version(text.Substring(9)), "NativeAOT " + Version(text.Substring(9)));
            }
            if (text.StartsWith("NetCoreApp", StringComparison.Ordinal))
            {
                return new CoreRuntime(Version(text.Substring(10)));
            }
            if (text.StartsWith("Net4", StringComparison.Ordinal))
            {
                return new ClrRuntime(text.Substring(3));
            }
            if (text.StartsWith("Net", StringComparison.Ordinal))
            {
                return new CoreRuntime(Version(text.Substring(3)));
            }
            return text == "Mono" ? MonoRuntime.Default : text == "Wasm" ? new Runtime("wasm", "WebAssembly") : null;
        }

        /// <summary>`8.0` of `80`, `10.0` of `10_0`.</summary>
        private static string Version(string digits)
        {
            return digits.Contains("_") ? digits.Replace('_', '.') : digits.Substring(0, digits.Length - 1) + "." + digits[digits.Length - 1];
        }
    }

    public class CoreRuntime : Runtime
    {
        public static readonly CoreRuntime Core20 = new CoreRuntime("2.0"), Core21 = new CoreRuntime("2.1"), Core22 = new CoreRuntime("2.2"), Core30 = new CoreRuntime("3.0"),
            Core31 = new CoreRuntime("3.1"), Core50 = new CoreRuntime("5.0"), Core60 = new CoreRuntime("6.0"), Core70 = new CoreRuntime("7.0"), Core80 = new CoreRuntime("8.0"),
            Core90 = new CoreRuntime("9.0"), Core10_0 = new CoreRuntime("10.0"), Latest = Core10_0;

        internal CoreRuntime(string version)
            : base(version, (version[1] == '.' && version[0] < '5' ? ".NET Core " : ".NET ") + version)
        {
        }

        public static CoreRuntime CreateForNewVersion(string msBuildMoniker, string displayName)
        {
            return new CoreRuntime(msBuildMoniker.Replace("netcoreapp", string.Empty).Replace("net", string.Empty));
        }
    }

    public class ClrRuntime : Runtime
    {
        public static readonly ClrRuntime Net461 = new ClrRuntime("461"), Net462 = new ClrRuntime("462"), Net47 = new ClrRuntime("47"), Net471 = new ClrRuntime("471"),
            Net472 = new ClrRuntime("472"), Net48 = new ClrRuntime("48"), Net481 = new ClrRuntime("481");

        internal ClrRuntime(string digits)
            : base("net" + digits, ".NET Framework " + string.Join(".", digits.ToCharArray()))
        {
        }
    }

    public class MonoRuntime : Runtime
    {
        public static readonly MonoRuntime Default = new MonoRuntime("Mono", null);

        public MonoRuntime(string name, string customPath)
            : base("mono", name)
        {
        }
    }

    public class NativeAotRuntime : Runtime
    {
        public static readonly NativeAotRuntime Net60 = new NativeAotRuntime("6.0"), Net70 = new NativeAotRuntime("7.0"), Net80 = new NativeAotRuntime("8.0"),
            Net90 = new NativeAotRuntime("9.0"), Net10_0 = new NativeAotRuntime("10.0");

        internal NativeAotRuntime(string version)
            : base("nativeaot" + version, "NativeAOT " + version)
        {
        }
    }
}
