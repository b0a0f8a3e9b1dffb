// Which runtime this is, and its settings that change what is measured; which language benchmarks are written in.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;

namespace Tare;

internal static class Runtime
{
    /// <summary>Variables that the host gives to processes of .NET; see its `languages/dotnet/facts.rs`.</summary>
    private static readonly string[] OfHost = ["TC_DelaySingleProcMultiplier", "EnableDiagnostics"];

    /// <summary>Settings that a project can have, as its `.runtimeconfig.json` names them.</summary>
    private static readonly string[] OfProject =
    [
        "System.Runtime.TieredCompilation", "System.Runtime.TieredCompilation.QuickJit", "System.Runtime.TieredCompilation.QuickJitForLoops", "System.Runtime.TieredPGO",
        "System.GC.RetainVM", "System.GC.HeapCount", "System.GC.HeapAffinitizeMask", "System.GC.NoAffinitize", "System.GC.HeapHardLimit", "System.GC.HeapHardLimitPercent",
        "System.GC.ConserveMemory", "System.GC.DynamicAdaptationMode", "System.GC.Gen0Size",
    ];

    /// <summary>How variables of .NET 6 and later begin, and of earlier ones.</summary>
    private const string New = "DOTNET_", Old = "COMPlus_";

    /// <summary>Why nothing can be measured on it, and what to do; null: it can.</summary>
    internal static string? Unfit
    {
        get
        {
            // Mono has a library of that name too since .NET 5.
            var isMono = Type.GetType("Mono.RuntimeStructs") != null;
            if (isMono || Environment.Version.Major < 3 || typeof(object).Assembly.GetName().Name != "System.Private.CoreLib")
            {
                return $"this runtime is {(isMono ? "Mono" : RuntimeInformation.FrameworkDescription)}: run the program with `dotnet`, on .NET Core 3.1 or later";
            }
            const string Feature = "System.Runtime.CompilerServices.RuntimeFeature";
            var isOff = AppContext.TryGetSwitch($"{Feature}.IsDynamicCodeSupported", out var isOn) && !isOn;
            var property = typeof(object).Assembly.GetType(Feature)?.GetProperty("IsDynamicCodeSupported", BindingFlags.Public | BindingFlags.Static);
            return !isOff && property?.GetValue(null, null) is not false
                ? null : "the program was built for ahead-of-time compilation by others: name its project, which `tare` builds: `tare run X.csproj --runtimes nativeaot`";
        }
    }

    /// <summary>.NET Core 3.1 says the version of its build, which nobody knows.</summary>
    internal static string Name => Ahead.IsHere ? $"native AOT {Environment.Version}"
        : Environment.Version.Major < 5 ? $".NET Core {Environment.Version}" : RuntimeInformation.FrameworkDescription;

    /// <summary>What of the collector and the compiler is not as it comes.</summary>
    internal static string? Settings
    {
        get
        {
            var collector = GCSettings.IsServerGC ? Server : GCSettings.LatencyMode == GCLatencyMode.Batch ? "non-concurrent GC" : null;
            var variables = Environment.GetEnvironmentVariables().Cast<DictionaryEntry>().ToDictionary(e => (string)e.Key, e => (string?)e.Value);
            // Both names of one are one setting.
            bool IsTwin(KeyValuePair<string, string?> v) => v.Key.StartsWith(Old, StringComparison.Ordinal)
                && variables.TryGetValue(New + v.Key.Substring(Old.Length), out var other) && other == v.Value;
            var settings = variables.Where(v => IsSetting(v.Key) && !IsTwin(v)).Select(v => $"{v.Key}={v.Value}").OrderBy(text => text, StringComparer.Ordinal);
            var ofProject = OfProject.Where(name => OfConfiguration(name) != null).Select(name => $"{name.Substring(name.LastIndexOf('.') + 1)}={OfConfiguration(name)}");
            List<string?> all = [collector, .. ofProject, .. settings];
            all.Remove(null);
            return all.Count == 0 ? null : string.Join(" ", all);
        }
    }

    /// <summary>Since .NET 9 it changes the number of its heaps while the program runs, where nobody has set it.</summary>
    private static string Server
    {
        get
        {
            bool IsSet(string name, string? value) => new[] { Variable($"GC{name}"), OfConfiguration($"System.GC.{name}") }
                .Any(text => text != null && (value == null || text == value));
            var isAdaptive = Environment.Version.Major >= 9 && !IsSet("HeapCount", null) && !IsSet("DynamicAdaptationMode", "0");
            return isAdaptive ? "adaptive server GC" : "server GC";
        }
    }

    /// <summary>A setting by its variable, under its newer name or its older one; null: it has none.</summary>
    internal static string? Variable(string name) => Environment.GetEnvironmentVariable(New + name) ?? Environment.GetEnvironmentVariable(Old + name);

    /// <summary>Of the assembly of the first class. The compiler of F# leaves a mark; where `tare` builds a project of Visual Basic, it does (`Tare.targets`).</summary>
    internal static string LanguageOf(IReadOnlyList<Type> types)
    {
        foreach (var attribute in types.Take(1).SelectMany(type => type.Assembly.GetCustomAttributesData()))
        {
            var arguments = attribute.ConstructorArguments;
            switch (attribute.AttributeType.Name)
            {
                case "FSharpInterfaceDataVersionAttribute":
                    return "f#";
                case "AssemblyMetadataAttribute" when arguments.Count == 2 && "Tare.Language".Equals(arguments[0].Value):
                    return (string)arguments[1].Value!;
            }
        }
        return "c#";
    }

    /// <summary>What the program's `.runtimeconfig.json` says; null: nothing. Asked for by the name that netstandard 2.0 has.</summary>
    private static string? OfConfiguration(string name) => AppDomain.CurrentDomain.GetData(name)?.ToString();

    /// <summary>
    /// Whether a variable changes how code is compiled or memory collected. Settings of the runtime have lower-case letters, as in
    /// `DOTNET_TieredPGO`; those of the command `dotnet` have none, as `DOTNET_NOLOGO`.
    /// </summary>
    private static bool IsSetting(string name)
    {
        var prefix = new[] { New, Old }.FirstOrDefault(p => name.StartsWith(p, StringComparison.OrdinalIgnoreCase));
        var rest = prefix == null ? "" : name.Substring(prefix.Length);
        // A runtime that does not say what it compiles is measured without it, and has it only while it lists.
        var isUnused = rest == Compiler.Delay && !Memory.HasCompilations;
        return rest.Any(char.IsLower) && !isUnused && !OfHost.Contains(rest) && !rest.StartsWith("Dbg", StringComparison.Ordinal) && !rest.StartsWith("ROOT", StringComparison.Ordinal);
    }
}
