// What a user writes, with the names that .NET developers know. The host decides how long to measure: `tare run --quick`, `--long`, `--precision`.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace Tare;

/// <summary>The method is a benchmark: its time is measured. The compiler fills in where it is declared.</summary>
[AttributeUsage(AttributeTargets.Method)]
public class BenchmarkAttribute([CallerLineNumber] int line = 0, [CallerFilePath] string file = "") : Attribute
{
    /// <summary>Its name in tables, instead of the method's name.</summary>
    public string? Description { get; set; }

    /// <summary>The others of the class are compared with this one.</summary>
    public bool Baseline { get; set; }

    /// <summary>Operations that one call does; times and memory are per operation.</summary>
    public int OperationsPerInvoke { get; set; } = 1;

    internal int Line { get; } = line;
    internal string File { get; } = file;
}

/// <summary>A field or property; the benchmark is measured for each of its values.</summary>
public abstract class ParameterAttribute : Attribute
{
    /// <summary>Parameters with a lower one come first.</summary>
    public int Priority { get; set; }
}

/// <summary>The values of a field or property.</summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public class ParamsAttribute(params object?[]? values) : ParameterAttribute
{
    // `[Params(null)]` is the single value null.
    public object?[] Values { get; protected set; } = values ?? [null];
}

/// <summary>The values of a field or property come from a method or property that returns a list: a static member of a type, or a member of the benchmark class.</summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public class ParamsSourceAttribute(Type? type, string name) : ParameterAttribute
{
    public ParamsSourceAttribute(string name)
        : this(null, name)
    {
    }

    public string Name { get; } = name;
    public Type? Type { get; } = type;
}

/// <summary>All values of a `bool` or an enumeration.</summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public class ParamsAllValuesAttribute : ParameterAttribute;

/// <summary>Arguments of a call, one for each parameter of the method; use it once for each call to measure.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public class ArgumentsAttribute(params object?[]? values) : ParameterAttribute
{
    public object?[] Values { get; } = values ?? [null];
}

/// <summary>Arguments come from a method or property that returns a list of them: a static member of a type, or a member of the benchmark class.</summary>
[AttributeUsage(AttributeTargets.Method)]
public class ArgumentsSourceAttribute(Type? type, string name) : ParameterAttribute
{
    public ArgumentsSourceAttribute(string name)
        : this(null, name)
    {
    }

    public string Name { get; } = name;
    public Type? Type { get; } = type;
}

/// <summary>A step around the measured code, for all benchmarks of the class or for the named ones.</summary>
[AttributeUsage(AttributeTargets.Method)]
public abstract class StepAttribute : Attribute
{
    /// <summary>Name of the only benchmark that has it, or several names separated by commas.</summary>
    public string? Target
    {
        get => Targets.Length == 1 ? Targets[0] : null;
        set => Targets = string.IsNullOrEmpty(value) ? [] : value!.Split(',');
    }

    /// <summary>Names of the benchmarks that have it; none: all benchmarks without a step of their own.</summary>
    public string[] Targets { get; set; } = [];
}

/// <summary>Runs once in every process before the benchmark.</summary>
public class GlobalSetupAttribute : StepAttribute;

/// <summary>Runs once in every process after the benchmark.</summary>
public class GlobalCleanupAttribute : StepAttribute;

/// <summary>Runs before every iteration, which is then a single call.</summary>
public class IterationSetupAttribute : StepAttribute;

/// <summary>Runs after every iteration, which is then a single call.</summary>
public class IterationCleanupAttribute : StepAttribute;

/// <summary>Words by which benchmarks are chosen.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
public class BenchmarkCategoryAttribute(params string[]? categories) : Attribute
{
    public string[] Categories { get; } = categories ?? [];
}

/// <summary>Types for an open generic class, one for each of its parameters; use it once for each set of types to measure.</summary>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public class GenericTypeArgumentsAttribute(params Type[]? types) : Attribute
{
    public Type[] GenericTypeArguments { get; } = types ?? [];
}

/// <summary>Benchmarks of the class are compared within their category.</summary>
[AttributeUsage(AttributeTargets.Class)]
public class GroupByCategoryAttribute : Attribute;

/// <summary>How the calls become measurements.</summary>
public enum Strategy
{
    /// <summary>Many calls, timed together.</summary>
    Throughput,

    /// <summary>Each call separately, including the first.</summary>
    Monitoring,

    /// <summary>Only the first call of a process.</summary>
    ColdStart,
}

/// <summary>How the processes of a benchmark are started and measured.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
public class SettingAttribute : Attribute
{
    /// <summary>An environment variable.</summary>
    public SettingAttribute(string name, string value) => (Name, Value) = (name, value);

    /// <summary>How the calls become measurements.</summary>
    public SettingAttribute(Strategy strategy) => Strategy = strategy;

    /// <summary>The maximum of calls per iteration, because its set-up prepared no more.</summary>
    public SettingAttribute(int invocationsMax) => InvocationsMax = invocationsMax;

    private protected SettingAttribute(bool randomizesMemory) => RandomizesMemory = randomizesMemory;

    internal string? Name { get; }
    internal string? Value { get; }
    internal Strategy? Strategy { get; }
    internal int? InvocationsMax { get; }
    internal bool? RandomizesMemory { get; }
}

/// <summary>Before each visit except the first: the clean-up, a new instance at another address, the set-up.</summary>
public class MemoryRandomizationAttribute(bool enable = true) : SettingAttribute(enable);

/// <summary>Server garbage collection, with one heap per processor. The setting of a class replaces the setting of its base class.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
public class GcServerAttribute(bool value = false) : SettingAttribute("DOTNET_gcServer", value ? "1" : "0");

/// <summary>Concurrent garbage collection. The setting of a class replaces the setting of its base class.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
public class GcConcurrentAttribute(bool value = false) : SettingAttribute("DOTNET_gcConcurrent", value ? "1" : "0");

/// <summary>The maximum of calls per iteration, after an iteration set-up that prepared no more. Without an iteration set-up it has no effect.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
public class InvocationCountAttribute(int invocationCount) : SettingAttribute(invocationCount);

/// <summary>One call after each iteration set-up. Without an iteration set-up it has no effect.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly)]
public class RunOncePerIterationAttribute() : SettingAttribute(1);

/// <summary>One of several ways to start the processes of a benchmark; each is measured.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
public class JobAttribute : Attribute
{
    /// <summary>Its name in tables, and its environment variables as name, value, name, value.</summary>
    public JobAttribute(string id, params string[] environment)
    {
        Id = id;
        for (var i = 0; i + 1 < environment.Length; i += 2)
        {
            Settings.Add(new SettingAttribute(environment[i], environment[i + 1]));
        }
    }

    /// <summary>Its name in tables.</summary>
    public string Id { get; }

    /// <summary>The version of the runtime, such as `8.0`; null: the program's runtime.</summary>
    public string? Runtime { get; set; }

    /// <summary>The other jobs are compared with this one.</summary>
    public bool Baseline { get; set; }

    /// <summary>Settings that complete those of the benchmark.</summary>
    protected internal List<SettingAttribute> Settings { get; } = [];
}

/// <summary>Runtimes that a job can request. A job on a runtime that is not installed is left out, with a warning.</summary>
public enum RuntimeMoniker
{
    /// <summary>The program's runtime.</summary>
    HostProcess,
    NetCoreApp31,
    Net50,
    Net60,
    Net70,
    Net80,
    Net90,
    Net10_0,
    Net11_0,
    NativeAot80,
    NativeAot90,
    NativeAot10_0,
    NativeAot11_0,
}

/// <summary>A job on a runtime, or with its own strategy. If it has no name, tables show the name of its runtime or strategy.</summary>
public class SimpleJobAttribute : JobAttribute
{
    public SimpleJobAttribute(RuntimeMoniker runtimeMoniker = RuntimeMoniker.HostProcess, string? id = null, bool baseline = false)
        : this(Strategy.Throughput, runtimeMoniker, id, baseline)
    {
    }

    public SimpleJobAttribute(Strategy strategy, string? id = null, bool baseline = false)
        : this(strategy, RuntimeMoniker.HostProcess, id, baseline)
    {
    }

    public SimpleJobAttribute(Strategy strategy, RuntimeMoniker runtimeMoniker, string? id = null, bool baseline = false)
        : base(id ?? Of(runtimeMoniker).Title ?? (strategy == Strategy.Throughput ? "SimpleJob" : strategy.ToString()))
    {
        Runtime = Of(runtimeMoniker).Word;
        Baseline = baseline;
        if (strategy != Strategy.Throughput)
        {
            Settings.Add(new SettingAttribute(strategy));
        }
    }

    /// <summary>As `tare` calls it, and as tables do; null: the program's runtime.</summary>
    private static (string? Word, string? Title) Of(RuntimeMoniker moniker)
    {
        // `NetCoreApp31`, `Net80`, `NativeAot10_0`.
        var name = Regex.Match(moniker.ToString(), @"^(\D+)(\d+)_?(\d)$");
        var version = $"{name.Groups[2]}.{name.Groups[3]}";
        return name.Groups[1].Value switch
        {
            "" => (null, null),
            "NativeAot" => ($"nativeaot{version}", $"NativeAOT {version}"),
            "NetCoreApp" => (version, $".NET Core {version}"),
            _ => (version, $".NET {version}"),
        };
    }
}

/// <summary>Only the first call of each process.</summary>
public class DryJobAttribute(RuntimeMoniker runtimeMoniker = RuntimeMoniker.HostProcess, bool baseline = false)
    : SimpleJobAttribute(Strategy.ColdStart, runtimeMoniker, runtimeMoniker == RuntimeMoniker.HostProcess ? "Dry" : null, baseline);

/// <summary>Runs a diagnoser that `tare list --tree` names on the benchmarks of the class or assembly, as `tare run --diagnose NAME` does for all.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
public class DiagnoserAttribute(string name) : Attribute
{
    public string Name { get; } = name;
}

/// <summary>Lock contentions and completed work items of the thread pool, per operation, as `--diagnose threading`.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
public class ThreadingDiagnoserAttribute() : DiagnoserAttribute(ThreadingPass.Called);

/// <summary>Exceptions that are thrown on any thread, per operation, including caught ones, as `--diagnose exceptions`.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
public class ExceptionDiagnoserAttribute() : DiagnoserAttribute(ExceptionPass.Called);

/// <summary>Allocated bytes are counted for every benchmark, with or without this attribute.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
public class MemoryDiagnoserAttribute : Attribute;
