// What the program would measure: every case that the library makes of declarations, configurations and filters.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Code;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Parameters;
using BenchmarkDotNet.Running;
using LibraryBenchmark = BenchmarkDotNet.Attributes.BenchmarkAttribute;

namespace Tare.BenchmarkDotNet;

/// <summary>A filter that wants none, and keeps those that all other filters want. So the library ends without building or measuring anything.</summary>
internal sealed class Reader : IReader, IFilter
{
    private static Reader? single;
    private readonly List<BenchmarkCase> cases = [];
    private readonly List<Benchmark> unread = [];

    /// <summary>Methods with cases, those that a filter does not want among them.</summary>
    private readonly HashSet<MethodInfo> asked = [];
    private bool isOfSwitcher;
    private IReadOnlyList<Benchmark>? benchmarks;

    /// <summary>The one of this process.</summary>
    internal static Reader Begin()
    {
        single ??= new Reader();
        Survey.Begin(single);
        return single;
    }

    public IReadOnlyList<Benchmark> Benchmarks
    {
        get
        {
            lock (cases)
            {
                return benchmarks ??= Carried.Of(cases).Concat(unread).ToList();
            }
        }
    }

    /// <summary>Where the library puts files of a program that measures nothing.</summary>
    internal static string Artifacts { get; } = Path.Combine(Path.GetTempPath(), $"tare-{Guid.NewGuid():N}");

    public void Close()
    {
        if (Directory.Exists(Artifacts))
        {
            Directory.Delete(Artifacts, true);
        }
    }

    /// <summary>Notes a case.</summary>
    public bool Predicate(BenchmarkCase benchmarkCase)
    {
        // Where nothing is left the library looks for names that the user may have meant, among all that there are without their configuration.
        var callers = new StackTrace().GetFrames().Select(frame => frame.GetMethod()?.DeclaringType?.Name).ToList();
        if (callers.Contains("CorrectionsSuggester"))
        {
            return false;
        }
        lock (cases)
        {
            asked.Add(benchmarkCase.Descriptor.WorkloadMethod);
            isOfSwitcher |= callers.Contains("BenchmarkSwitcher");
            if (benchmarkCase.Config.GetFilters().All(filter => filter is Reader || (filter is GlobFilter && HasEndlessName(benchmarkCase)) || filter.Predicate(benchmarkCase)))
            {
                cases.Add(benchmarkCase);
                benchmarks = null;
            }
        }
        return false;
    }

    /// <summary>All of an assembly, as a program without any code of its own would.</summary>
    public void Read(Assembly assembly)
    {
        single = this;
        var types = LibraryTypes.WithBenchmarks(assembly);
        foreach (var type in types.Where(type => !IsNoted(type)))
        {
            // None are left where this filter stands at the assembly: it has noted them. What throws is code of the user too.
            var ofType = Read(() => LibraryTypes.Cases(type));
            // The source of one of its methods, or of all.
            foreach (var method in LibraryTypes.MethodsOf(type))
            {
                var thrown = ofType == null ? null : Read(() => new[] { BenchmarkConverter.MethodsToBenchmarks(type, new[] { method }, DefaultConfig.Instance) });
                var why = thrown == null ? WithoutValues(type, method) : $"its parameters could not be read: {Thrown.Text(thrown)}";
                if (why != null)
                {
                    unread.Add(Carried.Unread(type, types, method, why));
                }
            }
        }
    }

    public void SayWhatIsEmpty(Assembly assembly)
    {
        // Sources of classes that `Main` does not measure are not read: they may take long.
        foreach (var type in LibraryTypes.WithBenchmarks(assembly).Where(type => isOfSwitcher || IsNoted(type)))
        {
            foreach (var method in LibraryTypes.MethodsOf(type))
            {
                if (WithoutValues(type, method) is { } why)
                {
                    Notes.Say($"`{Discovery.NameOf(type)}.{method.Name}` is left out: {why}");
                }
            }
        }
    }

    /// <summary>Why the library makes no case of a method; null: it has made some, or filters leave none.</summary>
    private string? WithoutValues(Type type, MethodInfo method) =>
        !asked.Contains(method) && ValueText.WithoutValues(type, method) is { } empty ? $"`{empty}` has no values: give it at least one" : null;

    /// <summary>Notes these; what was thrown instead, null: nothing.</summary>
    private Exception? Read(Func<IEnumerable<BenchmarkRunInfo>> read)
    {
        try
        {
            var found = read().SelectMany(info => info.BenchmarksCases).ToList();
            lock (cases)
            {
                asked.UnionWith(found.Select(c => c.Descriptor.WorkloadMethod));
                cases.AddRange(found);
                benchmarks = null;
            }
            return null;
        }
        catch (Exception thrown)
        {
            return thrown;
        }
    }

    public void Summarise(Assembly assembly) =>
        global::BenchmarkDotNet.Running.BenchmarkSwitcher.FromAssembly(assembly).Run(["--filter", "*"]);

    /// <summary>
    /// The library asks its filters in the order of their hashes, and this one comes first: the filter by names, which `--filter *` adds, never
    /// returns for a value that is its own `Value`.
    /// </summary>
    public override int GetHashCode() => int.MinValue;

    public override bool Equals(object? other) => ReferenceEquals(this, other);

    private static bool HasEndlessName(BenchmarkCase benchmarkCase) =>
        benchmarkCase.Parameters.Items.Any(p => p.Value is IParam own && ReferenceEquals(own, own.Value));

    public bool WasReading(Exception thrown)
    {
        var reading = typeof(BenchmarkConverter).FullName!;
        return new StackTrace(thrown).GetFrames().Any(frame => frame.GetMethod()?.DeclaringType?.FullName?.StartsWith(reading, StringComparison.Ordinal) == true);
    }

    private bool IsNoted(Type type)
    {
        lock (cases)
        {
            return cases.Any(c => c.Descriptor.Type == type);
        }
    }
}

/// <summary>From the library's cases to what Tare lists.</summary>
internal static class Carried
{
    /// <summary>In which sources a value stands, and at which place: `GetParameter(Values(), 3)`.</summary>
    private static readonly Regex Place = new(@"GetParameter\(.*, (\d+)\)(?:\[(\d+)\])?;?$", RegexOptions.Singleline);

    internal static IReadOnlyList<Benchmark> Of(IReadOnlyList<BenchmarkCase> cases) => Of(cases, out _);

    /// <summary>`of`: for each case its benchmark, and its job among those of the benchmark.</summary>
    internal static IReadOnlyList<Benchmark> Of(IReadOnlyList<BenchmarkCase> cases, out Dictionary<BenchmarkCase, (Benchmark Benchmark, NamedJob Job)> of)
    {
        of = [];
        var problems = Problems.Of(cases);
        var all = new List<Benchmark>();
        var types = cases.Select(c => c.Descriptor.Type).Distinct().ToList();
        foreach (var ofType in cases.GroupBy(c => c.Descriptor.Type))
        {
            var jobs = new JobsOfType(ofType.Key, ofType.ToList());
            var texts = new ParameterTexts(ofType);
            var methods = ofType.Select(c => c.Descriptor.WorkloadMethod).Distinct().ToList();
            foreach (var same in ofType.GroupBy(c => $"{c.Descriptor.WorkloadMethod.MetadataToken}\n{texts.Key(c)}"))
            {
                foreach (var ways in jobs.Of(same))
                {
                    var one = New(same.First(), types, methods);
                    one.Invalid = texts.Problem ?? Discovery.Problem(one.Type, one.Method, one.Attribute) ?? same.Select(problems.Of).FirstOrDefault(problem => problem != null);
                    one.Parameters = [.. texts.Of(same.First()), .. jobs.HasSeveral ? [new Parameter("Job", ways[0].Name, null, ways[0].Name, true)] : (Parameter[])[]];
                    var lost = one.Parameters.FirstOrDefault(p => p.Code == null && !p.IsJob);
                    one.Invalid ??= Misfit(one) ?? (lost == null ? null : $"the value `{lost.Text}` of `{lost.Name}` cannot be passed to another process: let a source return it");
                    one.Settings = [.. ways[0].Declared.Settings, .. JobsOfType.SettingsOf(same.First())];
                    one.Jobs = jobs.IsWorthNaming(ways) ? ways : one.Jobs;
                    all.Add(one);
                    foreach (var own in same.Where(c => ways.Contains(jobs.Of(c))))
                    {
                        of[own] = (one, jobs.Of(own));
                    }
                }
            }
        }
        return all;
    }

    /// <summary>Why a value cannot be given to what it is for; null: all can.</summary>
    private static string? Misfit(Benchmark benchmark)
    {
        try
        {
            foreach (var parameter in benchmark.Parameters.Where(p => !p.IsJob))
            {
                var type = parameter.Member != null ? Parameters.TypeOf(parameter.Member) : benchmark.Method.GetParameters().First(p => p.Name == parameter.Name).ParameterType;
                Parameters.Fit(parameter.Name, type, parameter.Value);
            }
            return null;
        }
        catch (DeclarationException e)
        {
            return e.Message;
        }
    }

    /// <summary>One of a method that the library could not make cases of.</summary>
    internal static Benchmark Unread(Type type, IReadOnlyList<Type> types, MethodInfo method, string why)
    {
        var one = New(type, types, method, LibraryTypes.MethodsOf(type).ToList());
        one.Invalid = why;
        return one;
    }

    private static Benchmark New(Type type, IReadOnlyList<Type> types, MethodInfo method, List<MethodInfo> methods)
    {
        var declared = method.GetCustomAttribute<LibraryBenchmark>()!;
        return new Benchmark
        {
            IsRead = true,
            Type = type,
            Method = method,
            Attribute = new BenchmarkAttribute(OfAttribute(declared, "SourceCodeLineNumber") as int? ?? 0, OfAttribute(declared, "SourceCodeFile") as string ?? "")
            {
                Baseline = declared.Baseline,
                OperationsPerInvoke = declared.OperationsPerInvoke,
            },
            Group = Discovery.GroupOf(type, types),
            Name = Discovery.NameOf(method, methods, Description),
        };
    }

    private static Benchmark New(BenchmarkCase one, List<Type> types, List<MethodInfo> methods)
    {
        var descriptor = one.Descriptor;
        var config = one.Config;
        static List<MethodInfo> Step(MethodInfo? step) => step == null ? [] : [step];
        var benchmark = New(descriptor.Type, types, descriptor.WorkloadMethod, methods);
        benchmark.Group += config.GetLogicalGroupRules().Contains(BenchmarkLogicalGroupRule.ByCategory) ? $", {Texts.Visible(string.Join(", ", descriptor.Categories))}" : "";
        benchmark.Categories = descriptor.Categories;
        benchmark.Diagnosers = [.. config.GetDiagnosers().Select(DiagnoserOf).OfType<string>().Concat(config.GetHardwareCounters().Any() ? ["counters"] : []).Distinct()];
        benchmark.Steps = [Step(descriptor.GlobalSetupMethod), Step(descriptor.GlobalCleanupMethod), Step(descriptor.IterationSetupMethod), Step(descriptor.IterationCleanupMethod)];
        return benchmark;
    }

    /// <summary>Where the benchmark stands: by name, since versions before 0.13.2 do not say it.</summary>
    private static object? OfAttribute(Attribute declared, string property) => declared.GetType().GetProperty(property)?.GetValue(declared, null);

    /// <summary>What shows the same here; null: it is always counted, or nothing does. By its name, since older versions lack some, and
    /// some are in packages of their own.</summary>
    internal static string? DiagnoserOf(IDiagnoser diagnoser) => diagnoser.GetType().Name switch
    {
        "DisassemblyDiagnoser" => "code",
        "EventPipeProfiler" or "PerfCollectProfiler" or "EtwProfiler" => "profile",
        "InliningDiagnoser" or "TailCallDiagnoser" => "inlining",
        "ThreadingDiagnoser" => ThreadingPass.Called,
        "ExceptionDiagnoser" => ExceptionPass.Called,
        _ => null,
    };

    internal static string? Description(MethodInfo method) => method.GetCustomAttribute<LibraryBenchmark>()?.Description;

    /// <summary>How a process that measures finds a value again; null: it cannot.</summary>
    internal static string? CodeOf(ParameterInstance parameter)
    {
        var code = ValueText.Of(parameter.Value);
        if (code != null)
        {
            return code;
        }
        var at = Place.Match(parameter.ToSourceCode());
        if (at.Success)
        {
            // The column is that of the parameter where the source says it by its type alone.
            return ValueText.AtPlace(int.Parse(at.Groups[1].Value), at.Groups[2].Success ? int.Parse(at.Groups[2].Value) : 0);
        }
        var declared = Array.FindIndex(parameter.Definition.Values ?? [], value => Equals(value, parameter.Value));
        return declared < 0 ? ValueText.OfLong(parameter.Value) : ValueText.AtPlace(declared);
    }

    /// <summary>The parameters of the cases of a class, with texts that tell their values apart.</summary>
    private sealed class ParameterTexts
    {
        private readonly Dictionary<string, string> texts = [];

        internal ParameterTexts(IEnumerable<BenchmarkCase> cases)
        {
            foreach (var same in cases.SelectMany(c => c.Parameters.Items.Select(p => new { Case = c, Parameter = p })).GroupBy(pair => NameOf(pair.Case, pair.Parameter)))
            {
                var distinct = same.GroupBy(pair => Identity(pair.Parameter)).Select(g => g.First().Parameter).ToList();
                var names = NamesOf(distinct);
                for (var i = 0; i < distinct.Count; i++)
                {
                    texts[$"{same.Key}\n{Identity(distinct[i])}"] = names[i];
                }
            }
        }

        /// <summary>Why a value has no text; null: all have one.</summary>
        internal string? Problem { get; private set; }

        internal string Key(BenchmarkCase one) => string.Join("\n", one.Parameters.Items.Select(p => $"{p.Name}\t{Identity(p)}"));

        internal IEnumerable<Parameter> Of(BenchmarkCase one)
        {
            var column = 0;
            foreach (var parameter in one.Parameters.Items)
            {
                var code = CodeOf(parameter);
                if (parameter.IsArgument && code != null && code.StartsWith("p", StringComparison.Ordinal))
                {
                    code = code.Split(' ')[0] + " " + column;
                }
                column += parameter.IsArgument ? 1 : 0;
                var member = parameter.IsArgument ? null : MemberOf(one.Descriptor.Type, parameter.Name);
                yield return new Parameter(parameter.Name, parameter.Value, member, texts[$"{NameOf(one, parameter)}\n{Identity(parameter)}"]) { Code = code };
            }
        }

        private IReadOnlyList<string> NamesOf(List<ParameterInstance> values)
        {
            try
            {
                // What a value says of itself, unless two say the same.
                var shown = values.Select(p => p.Value is IParam own ? own.DisplayText : p.Value).ToList();
                return Parameters.NamesOf(shown.Distinct().Count() == shown.Count ? shown : values.Select(p => p.Value));
            }
            catch (DeclarationException e)
            {
                Problem = e.Message;
                return values.Select((p, i) => $"#{i + 1}").ToList();
            }
        }

        /// <summary>A member has its values for all methods, an argument for its own.</summary>
        private static string NameOf(BenchmarkCase one, ParameterInstance parameter) =>
            parameter.Name + (parameter.IsArgument ? $"\n{one.Descriptor.WorkloadMethod.MetadataToken}" : "");

        private static string Identity(ParameterInstance parameter) => CodeOf(parameter) ?? $"?{parameter.Value}";

        private static MemberInfo MemberOf(Type type, string name)
        {
            const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
            for (var t = type; t != null; t = t.BaseType)
            {
                var member = t.GetMembers(All).FirstOrDefault(m => m.Name == name && (m is FieldInfo or PropertyInfo));
                if (member != null)
                {
                    return member;
                }
            }
            throw new InvalidOperationException($"`{type.Name}` has no field or property `{name}`");
        }
    }
}
