// A benchmark with its parameters filled in: a line of the list.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Tare;

/// <summary>A named value. `member`: the field or property that gets it; null: an argument of the method.</summary>
internal sealed class Parameter(string name, object? value, MemberInfo? member, string text, bool isJob = false)
{
    private string? code;

    internal string Name { get; } = name;
    internal object? Value { get; } = value;
    internal MemberInfo? Member { get; } = member;
    internal string Text { get; } = text;

    /// <summary>It says how the process was started, and the code does not see it.</summary>
    internal bool IsJob { get; } = isJob;

    /// <summary>How a process that measures finds the value (<see cref="ValueText"/>); null: it cannot.</summary>
    internal string? Code { get => code ??= ValueText.OfLong(Value) ?? Place; set => code = value; }

    /// <summary>Where it stands in its source, as a code has it.</summary>
    internal string? Place { get; set; }

    /// <summary>The type that the protocol has for it.</summary>
    internal string? Type => Value switch
    {
        bool => "boolean",
        double or float => "float",
        string => "text",
        sbyte or byte or short or ushort or int or uint or long or ulong => "integer",
        _ => null,
    };
}

internal sealed class Benchmark
{
    internal Type Type = null!;
    internal MethodInfo Method = null!;
    internal BenchmarkAttribute Attribute = null!;
    internal string Group = "", Name = "";
    internal IReadOnlyList<Parameter> Parameters = [];
    internal string[] Categories = [];
    internal string? Invalid;

    /// <summary>Global set-ups and clean-ups, then those of each iteration.</summary>
    internal List<MethodInfo>[] Steps = [[], [], [], []];
    internal List<SettingAttribute> Settings = [];

    /// <summary>Names of the diagnosers that its declaration asks for.</summary>
    internal List<string> Diagnosers = [];

    /// <summary>The jobs that start a process in this way, where the class has several.</summary>
    internal List<NamedJob> Jobs = [];

    /// <summary>Another library declares it.</summary>
    internal bool IsRead;

    /// <summary>Its loops, compiled ahead of time; null: they are made when it is opened.</summary>
    internal Func<Random?, LoopCode>? Code;

    internal List<MethodInfo> GlobalSetups => Steps[0];
    internal List<MethodInfo> GlobalCleanups => Steps[1];
    internal List<MethodInfo> IterationSetups => Steps[2];
    internal List<MethodInfo> IterationCleanups => Steps[3];

    /// <summary>Tells it from all others, whatever their order: that of a source of values may be another in the next process.</summary>
    internal string Key => Texts.Digest($"{Group}\n{Name}\n{string.Join("\n", Parameters.Select(p => $"{p.Name}\t{p.Text}"))}");

    internal object?[] Arguments => Parameters.Where(p => p.Member == null && !p.IsJob).Select(p => p.Value).ToArray();

    /// <summary>Something is done before or after each iteration.</summary>
    internal bool IsIterated => IterationSetups.Count + IterationCleanups.Count > 0;

    /// <summary>The same with other parameters.</summary>
    internal Benchmark With(List<Parameter> parameters)
    {
        var one = (Benchmark)MemberwiseClone();
        one.Parameters = parameters;
        return one;
    }

    /// <summary>The line of the list.</summary>
    internal Json Line(int index)
    {
        string[] steps = ["global", "global-clean-up", "iteration", "iteration-clean-up"];
        var environment = Environment(Settings);
        if ((IsRead || Ahead.IsWanted) && Invalid == null)
        {
            // Its processes are for this benchmark alone, and need not read any declaration.
            environment = (environment ?? new Json()).Add(Case.Variable, Case.Of(this, index)).Add(Survey.HooksVariable, Ahead.IsWanted ? null : Survey.Hooks);
        }
        var randomizes = Settings.LastOrDefault(s => s.RandomizesMemory != null)?.RandomizesMemory;
        return new Json("benchmark")
            .Add("index", index)
            .Add("key", Key)
            .Add("group", Group)
            .Add("name", Name)
            .Add("parameters", Parameters.Select(p => new Json().Add("name", p.Name).Add("value", p.Text).Add("type", p.Type)))
            .Add("file", Attribute.File == "" ? null : Attribute.File)
            .Add("line", Attribute.Line == 0 ? null : Attribute.Line)
            .Add("baseline", Attribute.Baseline)
            // Fewer are invalid, but a line of the list has at least 1.
            .Add("operations", Math.Max(1, Attribute.OperationsPerInvoke))
            .Add("categories", Categories)
            .Add("set_ups", steps.Where((_, kind) => Steps[kind].Count > 0))
            .Add("returns", Method.ReturnType != typeof(void))
            .Add("threads", Awaiting.Of(Method.ReturnType) != null ? 0 : 1)
            .Add("strategy", StrategyOf(Settings))
            .Add("policy", randomizes == null ? null : new Json().Add("memory_randomization", randomizes))
            .Add("invocations_max", IsIterated ? Settings.LastOrDefault(s => s.InvocationsMax > 0)?.InvocationsMax : null)
            .Add("diagnosers", Diagnosers.Count == 0 ? null : Diagnosers)
            .Add("launch", environment == null ? null : new Json().Add("environment", environment))
            .Add("jobs", Jobs.Count == 0 ? null : Jobs.Select(j => j.Line()))
            .Add("code", CodeName.Of(this))
            .Add("invalid", Invalid);
    }

    /// <summary>The variables that settings name; null: none.</summary>
    internal static Json? Environment(IEnumerable<SettingAttribute> settings)
    {
        // The last one of a name holds, at the place of the first.
        var last = settings.Where(s => s.Name != null).GroupBy(s => s.Name!).Select(same => same.Last()).ToList();
        return last.Count == 0 ? null : last.Aggregate(new Json(), (o, s) => o.Add(s.Name!, s.Value));
    }

    /// <summary>The protocol's name of the strategy that settings name last; null: none.</summary>
    internal static string? StrategyOf(IEnumerable<SettingAttribute> settings) => settings.LastOrDefault(s => s.Strategy != null)?.Strategy switch
    {
        Strategy.ColdStart => "cold-start",
        Strategy.Monitoring => "monitoring",
        _ => null,
    };
}
