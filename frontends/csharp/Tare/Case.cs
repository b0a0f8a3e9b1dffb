// A benchmark as a text: with it a process that measures finds its benchmark without reading any declaration.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Tare;

/// <summary>A value as a process finds it again.</summary>
internal static class ValueText
{
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
    private static readonly CultureInfo Invariant = CultureInfo.InvariantCulture;

    /// <summary>The text of a value that a short text can hold; null: it cannot. Longer ones are found again by their place, where they have one.</summary>
    internal static string? Of(object? value) => Of(value, 200);

    /// <summary>The same of a text that may be long, as much as a variable of the environment holds.</summary>
    internal static string? OfLong(object? value) => Of(value, 30000);

    private static string? Of(object? value, int longest)
    {
        var text = value is Array all && all.Length > longest ? null : OfAny(value);
        return text?.Length > longest ? null : text;
    }

    private static string? OfAny(object? value)
    {
        switch (value)
        {
            case null:
                return "n";
            case string text:
                // A variable of the environment has no place for half a pair.
                return ReferenceEquals(Texts.Whole(text), text) ? $"s{text}" : null;
            case Enum one:
                return $"e{Convert.ToDecimal(one, Invariant).ToString(Invariant)} {Case.NameOf(one.GetType())}";
            case Type type:
                return $"t{Case.NameOf(type)}";
            case char letter:
                return $"c{(int)letter}";
            case DateTime time:
                return $"d{time.ToBinary().ToString(Invariant)}";
            case IntPtr pointer:
                return $"i{pointer.ToInt64().ToString(Invariant)}";
            case double number:
                return $"v{(int)TypeCode.Double} {number.ToString("R", Invariant)}";
            case float number:
                return $"v{(int)TypeCode.Single} {number.ToString("R", Invariant)}";
            case Array { Rank: 1 } list:
                var values = list.Cast<object?>().Select(OfAny).ToList();
                return values.Contains(null) ? null : $"l{Case.Escaped(Case.NameOf(list.GetType().GetElementType()!))} {string.Join(" ", values.Select(one => Case.Escaped(one!)))}";
            default:
                var code = Convert.GetTypeCode(value);
                return code is (>= TypeCode.Boolean and <= TypeCode.UInt64) or TypeCode.Decimal ? $"v{(int)code} {((IConvertible)value).ToString(Invariant)}" : null;
        }
    }

    /// <summary>The value with this place among those of a member, or in the rows of arguments of a method.</summary>
    internal static string AtPlace(int row, int column = 0) => FormattableString.Invariant($"p{row} {column}");

    internal static bool IsPlace(string? text) => text != null && text.StartsWith("p", StringComparison.Ordinal);

    /// <summary>The value of a text. `values`: gives that at a place.</summary>
    internal static object? Read(string text, Func<int, int, object?> values)
    {
        var rest = text.Substring(1);
        var words = rest.Split([' '], 2);
        switch (text[0])
        {
            case 'n':
                return null;
            case 's':
                return rest;
            case 'e':
                var type = Case.TypeOf(words[1]);
                return Enum.ToObject(type, Convert.ChangeType(decimal.Parse(words[0], Invariant), Enum.GetUnderlyingType(type), Invariant));
            case 't':
                return Case.TypeOf(rest);
            case 'c':
                return (char)int.Parse(rest, Invariant);
            case 'd':
                return DateTime.FromBinary(long.Parse(rest, Invariant));
            case 'i':
                return new IntPtr(long.Parse(rest, Invariant));
            case 'v':
                return Convert.ChangeType(words[1], (TypeCode)int.Parse(words[0], Invariant), Invariant);
            case 'l':
                var items = words[1].Split([' '], StringSplitOptions.RemoveEmptyEntries);
                var list = Array.CreateInstance(Case.TypeOf(Case.Plain(words[0])), items.Length);
                for (var i = 0; i < items.Length; i++)
                {
                    list.SetValue(Read(Case.Plain(items[i]), values), i);
                }
                return list;
            default:
                return values(int.Parse(words[0], Invariant), int.Parse(words[1], Invariant));
        }
    }

    /// <summary>The values of a field or property that an attribute of another library declares: one called `Params`, or a source.</summary>
    internal static object? OfMember(Type type, MemberInfo member, int at)
    {
        foreach (var attribute in member.GetCustomAttributes(true))
        {
            if (IsNamed(attribute, "ParamsAttribute"))
            {
                return ((object?[])Property(attribute, "Values")!)[at];
            }
            if (IsNamed(attribute, "ParamsSourceAttribute"))
            {
                var value = Source(type, attribute)[at];
                return value is object?[] { Length: 1 } one ? one[0] : value;
            }
        }
        throw new InvalidOperationException($"`{member.Name}` has no values");
    }

    /// <summary>An argument of a method, by its row and its place in the row.</summary>
    internal static object? OfMethod(Type type, MethodInfo method, int row, int column)
    {
        var sources = method.GetCustomAttributes(true).Where(attribute => IsNamed(attribute, "ArgumentsSourceAttribute"));
        var value = sources.SelectMany(source => Source(type, source)).ElementAt(row);
        var parameters = method.GetParameters();
        return value is object?[] several && several.Length == parameters.Length && (parameters.Length > 1 || !parameters[0].ParameterType.IsInstanceOfType(value)) ? several[column] : value;
    }

    /// <summary>The types by which the values of a member or a method are found again.</summary>
    internal static IEnumerable<Type> TypesOfSource(MemberInfo member)
    {
        var attributes = member.GetCustomAttributes(true).Where(a => IsNamed(a, "ParamsAttribute") || IsNamed(a, "ParamsSourceAttribute") || IsNamed(a, "ArgumentsSourceAttribute"));
        return attributes.SelectMany(a => new[] { a.GetType(), Property(a, "Type") }).OfType<Type>();
    }

    /// <summary>The member without values, or the source without rows, by which a method has no cases; null: there is none.</summary>
    internal static string? WithoutValues(Type type, MethodInfo method)
    {
        var sources = method.GetCustomAttributes(true).Where(a => IsNamed(a, "ArgumentsSourceAttribute")).ToList();
        bool IsEmpty(object a) => IsNamed(a, "ParamsAttribute") ? ((object?[])Property(a, "Values")!).Length == 0 : IsNamed(a, "ParamsSourceAttribute") && Source(type, a).Count == 0;
        return type.GetMembers(All).FirstOrDefault(m => m is FieldInfo or PropertyInfo && m.GetCustomAttributes(true).Any(IsEmpty))?.Name
            ?? (sources.Count > 0 && sources.All(a => Source(type, a).Count == 0) ? (string)Property(sources[0], "Name")! : null);
    }

    private static List<object?> Source(Type type, object attribute)
    {
        var of = (Type?)Property(attribute, "Type");
        return Parameters.FromSource(of ?? type, (string)Property(attribute, "Name")!, of == null);
    }

    private static bool IsNamed(object attribute, string name)
    {
        var type = attribute.GetType();
        while (type != null && type.Name != name)
        {
            type = type.BaseType;
        }
        return type != null;
    }

    /// <summary>Older versions of a library may lack it.</summary>
    private static object? Property(object attribute, string name) => attribute.GetType().GetProperty(name, All)?.GetValue(attribute, null);
}

/// <summary>The text of a benchmark: what an environment variable of its processes has.</summary>
internal static class Case
{
    internal const string Variable = "BENCHMARK_CASE";
    private const BindingFlags Own = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>Its text with its index.</summary>
    internal static string Of(Benchmark benchmark, int index)
    {
        IEnumerable<string> words =
        [
            $"{index}", Escaped(NameOf(benchmark.Type)), Name(benchmark.Method),
            .. benchmark.Steps.Select(some => string.Join(",", some.Select(Name))),
            Benchmark.StrategyOf(benchmark.Settings) ?? "",
            .. benchmark.Parameters.Where(p => !p.IsJob).Select(p => string.Join(",",
                Escaped(p.Name), p.Member == null ? "" : Escaped(NameOf(p.Member.DeclaringType!)), Escaped(Texts.Beginning(p.Text, 100)), Escaped(p.Code!))),
        ];
        return string.Join(";", words);
    }

    /// <summary>The benchmark of this process; null: it was started for none.</summary>
    internal static ICatalog? OfProcess()
    {
        var words = Environment.GetEnvironmentVariable(Variable)?.Split(';');
        if (words == null)
        {
            return null;
        }
        var index = int.Parse(words[0], CultureInfo.InvariantCulture);
        var type = TypeOf(Plain(words[1]));
        var method = MethodOf(words[2]);
        return new CatalogOfOne((ulong)index, new Benchmark
        {
            Code = Ahead.CodeOf(index),
            Type = type,
            Method = method,
            Attribute = new BenchmarkAttribute(),
            Name = method.Name,
            Steps = words.Skip(3).Take(4).Select(some => some.Split([','], StringSplitOptions.RemoveEmptyEntries).Select(MethodOf).ToList()).ToArray(),
            Settings = words[7] switch
            {
                "cold-start" => [new SettingAttribute(Strategy.ColdStart)],
                "monitoring" => [new SettingAttribute(Strategy.Monitoring)],
                _ => [],
            },
            Parameters = words.Skip(8).Select(word => ParameterOf(type, method, word.Split(','))).ToList(),
        });
    }

    internal static string Escaped(string text) => Uri.EscapeDataString(text);

    internal static string Plain(string text) => Uri.UnescapeDataString(text);

    /// <summary>With its assembly, and without the version of that: another runtime has others of its own assemblies.</summary>
    internal static string NameOf(Type type) =>
        Ahead.Name(Regex.Replace(type.AssemblyQualifiedName!, @", Version=[^,\]]*, Culture=[^,\]]*, PublicKeyToken=[^,\]]*", ""), type);

    internal static Type TypeOf(string name) => Ahead.TypeOf(name) ?? Type.GetType(name, true)!;

    private static Parameter ParameterOf(Type type, MethodInfo method, string[] words)
    {
        var name = Plain(words[0]);
        var member = words[1].Length == 0 ? null : TypeOf(Plain(words[1])).GetMembers(Own).First(m => m.Name == name && m is FieldInfo or PropertyInfo);
        var code = Plain(words[3]);
        var value = ValueText.Read(code, (row, column) => member == null ? ValueText.OfMethod(type, method, row, column) : ValueText.OfMember(type, member, row));
        var wanted = member == null ? method.GetParameters().First(p => p.Name == name).ParameterType : Parameters.TypeOf(member);
        return new Parameter(name, Parameters.Fit(name, wanted, value), member, Plain(words[2])) { Code = code };
    }

    /// <summary>Where its class has several of the name, with what tells them apart.</summary>
    private static string Name(MethodInfo method)
    {
        var isAlone = method.DeclaringType!.GetMethods(Own).Count(m => m.Name == method.Name) == 1;
        return $"{Escaped(isAlone ? method.Name : method.ToString()!)}@{Escaped(NameOf(method.DeclaringType))}";
    }

    private static MethodInfo MethodOf(string text)
    {
        var words = text.Split('@');
        var name = Plain(words[0]);
        var methods = TypeOf(Plain(words[1])).GetMethods(Own);
        return methods.FirstOrDefault(m => m.Name == name) ?? methods.First(m => m.ToString() == name);
    }
}
