// Which benchmarks there are of those that are declared: by the arguments of the program, and by filters of a class or of all classes.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Tare;

/// <summary>Chooses benchmarks of a class, or of an assembly: those that all of its filters want.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
public abstract class FilterAttribute : Attribute
{
    /// <summary>Whether it is to be measured.</summary>
    protected internal abstract bool Wants(Candidate candidate);
}

/// <summary>A benchmark as filters see it.</summary>
public sealed class Candidate
{
    private readonly Benchmark benchmark;

    internal Candidate(Benchmark benchmark) => this.benchmark = benchmark;

    public MethodInfo Method => benchmark.Method;

    /// <summary>Its categories, those of its class and assembly included.</summary>
    public IReadOnlyList<string> Categories => benchmark.Categories;

    /// <summary>Whether a pattern names it as `Namespace.Class.Method`, with the values of its parameters or without, or as `tare` lists it.
    /// `*` and `?` stand for any characters and any one.</summary>
    public bool IsNamed(string pattern) => Filters.Names(benchmark).Any(name => Filters.Fits(name, pattern));
}

internal static class Filters
{
    private static readonly Dictionary<Type, List<FilterAttribute>> Known = [];

    /// <summary>Whether all filters want it, and one of these patterns, where there are any.</summary>
    internal static bool Want(Benchmark benchmark, IReadOnlyList<string>? patterns)
    {
        var candidate = new Candidate(benchmark);
        var isNamed = patterns == null || patterns.Count == 0 || patterns.Any(candidate.IsNamed);
        try
        {
            return isNamed && Known.OrMake(benchmark.Type, type => Discovery.Attributes<FilterAttribute>(type.Assembly, type).ToList()).All(filter => filter.Wants(candidate));
        }
        catch (Exception thrown)
        {
            // It is code of the user, and so is the constructor of an attribute.
            var cause = thrown.GetBaseException();
            benchmark.Invalid ??= $"a filter of its class or program threw {cause.GetType().Name}: {cause.Message}";
            return true;
        }
    }

    /// <summary>`Namespace.Outer.Class.Method` and `Namespace.Outer+Class.Method(n: 1)` as other tools call it, `Class/Method[n=1]` as it is listed here.</summary>
    internal static IEnumerable<string> Names(Benchmark benchmark)
    {
        var listed = (benchmark.Group.Length == 0 ? "" : $"{benchmark.Group}/") + benchmark.Name;
        var values = benchmark.Parameters.Where(p => !p.IsJob).Select(p => $"{p.Name}={p.Text}").ToList();
        yield return CodeName.Bare(benchmark, '.');
        yield return CodeName.Bare(benchmark, '+');
        yield return CodeName.Full(benchmark);
        yield return listed;
        yield return values.Count == 0 ? listed : $"{listed}[{string.Join(", ", values)}]";
    }

    internal static bool Fits(string name, string pattern)
    {
        var regex = $"^{Regex.Escape(pattern).Replace("\\*", ".*").Replace("\\?", ".")}$";
        return Regex.IsMatch(name, regex, RegexOptions.IgnoreCase | RegexOptions.Singleline);
    }
}
