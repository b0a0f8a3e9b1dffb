// What a program with benchmarks calls.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Tare;

/// <summary>The outcome of a run. The results themselves are in the table and in the run's document.</summary>
public class Summary
{
    internal Summary(int exitCode) => ExitCode = exitCode;

    /// <summary>Exit code of `tare`; 0 if everything was measured.</summary>
    public int ExitCode { get; }
}

/// <summary>Measures the benchmarks of classes.</summary>
public static class BenchmarkRunner
{
    /// <summary>Measures the benchmarks of one class.</summary>
    public static Summary Run<T>() => Run(typeof(T));

    /// <summary>Measures the benchmarks of one class.</summary>
    public static Summary Run(Type type, string[]? args = null) => Start.Run([type], type.Assembly, args);

    /// <summary>Measures the benchmarks of several classes.</summary>
    public static Summary Run(Type[] types, string[]? args = null) => Start.Run(types, null, args);

    /// <summary>Measures all benchmarks of an assembly.</summary>
    public static Summary Run(Assembly assembly, string[]? args = null) => Start.Run(Discovery.TypesOf(assembly), null, args);
}

/// <summary>Measures the benchmarks that the arguments of the program choose.</summary>
public class BenchmarkSwitcher
{
    private readonly IReadOnlyList<Type> types;
    private readonly Assembly? single;

    public BenchmarkSwitcher(Type[] types) => this.types = types;

    public BenchmarkSwitcher(Assembly assembly) => (types, single) = (Discovery.TypesOf(assembly), assembly);

    /// <summary>Chooses among the benchmarks of an assembly.</summary>
    public static BenchmarkSwitcher FromAssembly(Assembly assembly) => new(assembly);

    /// <summary>Chooses among the benchmarks of several assemblies.</summary>
    public static BenchmarkSwitcher FromAssemblies(Assembly[] assemblies) => new(assemblies.SelectMany(Discovery.TypesOf).ToArray());

    /// <summary>Chooses among these classes.</summary>
    public static BenchmarkSwitcher FromTypes(Type[] types) => new(types);

    /// <summary>Measures them. `--filter GLOB...` chooses by `Namespace.Class.Method`; other arguments are passed to `tare run`.</summary>
    public Summary Run(string[]? args = null) => Start.Run(types, null, args, single);

    /// <summary>Measures all of them.</summary>
    public Summary RunAll() => Start.Run(types, null, null);
}
