// What the code of a benchmark is called by other tools for .NET, which keep results under these names.

using System;
using System.Collections.Generic;
using System.Linq;

namespace Tare;

internal static class CodeName
{
    /// <summary>Elements of a list that are in a name.</summary>
    private const int ElementsMost = 5;

    private static readonly Dictionary<Type, string> Keywords = new()
    {
        { typeof(byte), "byte" }, { typeof(sbyte), "sbyte" }, { typeof(short), "short" }, { typeof(ushort), "ushort" }, { typeof(int), "int" }, { typeof(uint), "uint" },
        { typeof(long), "long" }, { typeof(ulong), "ulong" }, { typeof(float), "float" }, { typeof(double), "double" }, { typeof(decimal), "decimal" },
        { typeof(object), "object" }, { typeof(bool), "bool" }, { typeof(char), "char" }, { typeof(string), "string" },
    };

    /// <summary>The names of a benchmark, for its line.</summary>
    internal static Json Of(Benchmark benchmark) => new Json()
        .Add("namespace", benchmark.Type.Namespace)
        .Add("type", OneType(benchmark.Type))
        .Add("method", benchmark.Method.Name)
        .Add("full", Full(benchmark));

    /// <summary>`Namespace.Outer+Class.Method(argument: 1, Member: "a")`; without what its values are where one of them cannot say it.</summary>
    internal static string Full(Benchmark benchmark)
    {
        var values = benchmark.Parameters.Where(p => !p.IsJob).OrderBy(p => p.Member != null).Select(p => $"{p.Name}: {Value(p)}").ToList();
        return Bare(benchmark, '+') + (values.Count == 0 ? "" : $"({string.Join(", ", values)})");
    }

    /// <summary>`Namespace.Outer.Class.Method`.</summary>
    internal static string Bare(Benchmark benchmark, char between) => $"{SpaceOf(benchmark.Type)}{TypeOf(benchmark.Type, between)}.{benchmark.Method.Name}";

    private static string SpaceOf(Type type) => string.IsNullOrEmpty(type.Namespace) ? "" : $"{type.Namespace}.";

    /// <summary>A class with those around it, and with the types that it was closed with.</summary>
    private static string TypeOf(Type type, char between)
    {
        var around = "";
        for (var outer = type.DeclaringType; outer != null; outer = outer.DeclaringType)
        {
            around = outer.Name + between + around;
        }
        return around + OneType(type);
    }

    private static string OneType(Type type)
    {
        // A class inside a generic one is generic without saying so in its name.
        var name = type.Name.Split('`')[0];
        return type.IsGenericType ? $"{name}<{string.Join(", ", type.GetGenericArguments().Select(OneType))}>" : name;
    }

    private static string? Value(Parameter parameter)
    {
        try
        {
            return Value(parameter.Value);
        }
        catch (Exception)
        {
            // Its own text is code of the user.
            return parameter.Text;
        }
    }

    private static string? Value(object? value) => value switch
    {
        null => "null",
        object?[] { Length: 1 } one => Value(one[0]),
        string text => $"\"{string.Concat(text.Select(c => Escaped(c, '"')))}\"",
        char one => $"'{Escaped(one, '\'')}'",
        DateTime time => time.ToString("yyyy'-'MM'-'dd'T'HH':'mm':'ss.fffffffK"),
        Type type => $"typeof({Keyword(type)})",
        Array array => $"[{string.Join(", ", array.Cast<object?>().Take(ElementsMost + 1).Select((one, at) => at < ElementsMost ? Value(one) : "..."))}]",
        _ => value.ToString(),
    };

    private static string Keyword(Type type) => Nullable.GetUnderlyingType(type) is { } inner ? $"{Keyword(inner)}?"
        : Keywords.TryGetValue(type, out var word) ? word : SpaceOf(type) + OneType(type);

    /// <summary>A character as C# writes it between such quotes; without quotes, one that must be escaped.</summary>
    internal static string Escaped(char one, char? quote = null) => one switch
    {
        '\0' => "\\0",
        '\a' => "\\a",
        '\b' => "\\b",
        '\f' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\v' => "\\v",
        '\\' => "\\\\",
        _ when one == quote => $"\\{one}",
        _ when quote == null || char.IsControl(one) || one is '\u2028' or '\u2029' => $"\\u{(int)one:x4}",
        _ => one.ToString(),
    };
}
