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
                return new Runtime("nativeaot" + Tare.RuntimeNames.Version(text.Substring(9)), "NativeAOT " + Tare.RuntimeNames.Version(text.Substring(9)));
            }
            if (text.StartsWith("NetCoreApp", StringComparison.Ordinal))
            {
                return new CoreRuntime(Tare.RuntimeNames.Version(text.Substring(10)));
            }
            if (text.StartsWith("Net4", StringComparison.Ordinal))
            {
                return new ClrRuntime(text.Substring(3));
            }
            if (text.StartsWith("Net", StringComparison.Ordinal))
            {
                return new CoreRuntime(Tare.RuntimeNames.Version(text.Substring(3)));
            }
            if (text == "Mono")
            {
                return MonoRuntime.Default;
            }
            // None of these is there to be started: a job on it is left out by name.
            foreach (var family in new[] { "MonoAOTLLVMNet", "MonoAOTLLVM", "Mono", "WasmNet", "Wasm", "R2R" })
            {
                if (text.StartsWith(family, StringComparison.Ordinal))
                {
                    var version = Tare.RuntimeNames.Version(text.Substring(family.Length));
                    var name = family.StartsWith("Wasm", StringComparison.Ordinal) ? "WebAssembly" : family == "R2R" ? "ReadyToRun" : family == "Mono" ? "Mono of .NET" : "Mono AOT LLVM";
                    return new Runtime(family.Replace("Net", string.Empty).ToLowerInvariant() + version, (name + " " + version).TrimEnd());
                }
            }
            return null;
        }
    }

    public class CoreRuntime : Runtime
    {
        public static readonly CoreRuntime Core20 = new CoreRuntime("2.0"), Core21 = new CoreRuntime("2.1"), Core22 = new CoreRuntime("2.2"), Core30 = new CoreRuntime("3.0"),
            Core31 = new CoreRuntime("3.1"), Core50 = new CoreRuntime("5.0"), Core60 = new CoreRuntime("6.0"), Core70 = new CoreRuntime("7.0"), Core80 = new CoreRuntime("8.0"),
            Core90 = new CoreRuntime("9.0"), Core10_0 = new CoreRuntime("10.0"), Core11_0 = new CoreRuntime("11.0"), Latest = Core10_0;

        internal CoreRuntime(string version)
            : base(version, Tare.RuntimeNames.Core(version))
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
            : base("net" + digits, Tare.RuntimeNames.Framework(digits))
        {
        }
    }

    public class MonoRuntime : Runtime
    {
        public static readonly MonoRuntime Default = new MonoRuntime("Mono", null);

        /// <summary>The one of .NET's own libraries, which is not there to be started.</summary>
        public static readonly Runtime Mono60 = Of(Jobs.RuntimeMoniker.Mono60), Mono70 = Of(Jobs.RuntimeMoniker.Mono70), Mono80 = Of(Jobs.RuntimeMoniker.Mono80),
            Mono90 = Of(Jobs.RuntimeMoniker.Mono90), Mono10_0 = Of(Jobs.RuntimeMoniker.Mono10_0), Mono11_0 = Of(Jobs.RuntimeMoniker.Mono11_0);

        public MonoRuntime(string name, string customPath)
            : base("mono", name)
        {
        }
    }

    public class NativeAotRuntime : Runtime
    {
        public static readonly NativeAotRuntime Net60 = new NativeAotRuntime("6.0"), Net70 = new NativeAotRuntime("7.0"), Net80 = new NativeAotRuntime("8.0"),
            Net90 = new NativeAotRuntime("9.0"), Net10_0 = new NativeAotRuntime("10.0"), Net11_0 = new NativeAotRuntime("11.0");

        internal NativeAotRuntime(string version)
            : base("nativeaot" + version, "NativeAOT " + version)
        {
        }
    }
}
