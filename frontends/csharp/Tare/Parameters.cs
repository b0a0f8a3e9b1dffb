// The values of parameters: declared, or given by the host in their place.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;

namespace Tare;

/// <summary>A declaration that cannot be measured; its text says how to fix it.</summary>
internal sealed class DeclarationException(string message) : Exception(message);

internal static class Parameters
{
    /// <summary>Characters of a value in tables.</summary>
    private const int LongestName = 120, BeginningOfName = 60, LongestList = 40;
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

    /// <summary>Fields and properties with values, in the order of the columns.</summary>
    private static List<MemberInfo> MembersOf(Type type)
    {
        var members = new List<MemberInfo>();
        for (var t = type; t != null && t != typeof(object); t = t.BaseType)
        {
            var own = t.GetMembers(All | BindingFlags.DeclaredOnly).Where(m => AttributeOf(m) != null).OrderBy(m => m.MetadataToken);
            members.InsertRange(0, own.Where(m => members.All(known => known.Name != m.Name)));
        }
        return members.OrderBy(m => AttributeOf(m)!.Priority).ToList();
    }

    /// <summary>All combinations of the values of the members, times the rows of arguments of the method.</summary>
    internal static List<List<Parameter>> Of(Type type, MethodInfo method, Dictionary<string, string[]> given)
    {
        List<List<Parameter>> rows = [[]];
        foreach (var member in MembersOf(type))
        {
            var values = Given(member.Name, TypeOf(member), Declared(type, member), given);
            rows = Times(rows, values, v => new Parameter(member.Name, v.Value, member, v.Text) { Place = ValueText.AtPlace(v.Place) });
        }
        var arguments = Rows(type, method);
        var all = rows.SelectMany(row => arguments.SelectMany(argument => With(row, method, argument, arguments, given)));
        // Several declared values may have become one that was given.
        var seen = new HashSet<string>();
        return all.Where(row => seen.Add(string.Join("\n", row.Select(p => $"{p.Name}\t{p.Text}")))).ToList();
    }

    /// <summary>Whether the benchmark has the parameter, and the values that it may have.</summary>
    internal static bool Accepts(Type type, MethodInfo method, string name, string[] texts)
    {
        if (MembersOf(type).FirstOrDefault(m => m.Name == name) is { } member)
        {
            var declared = Declared(type, member);
            Array.ForEach(texts, text => Read(name, TypeOf(member), declared, text));
            return true;
        }
        if (method.GetParameters().FirstOrDefault(p => p.Name == name) is { } parameter)
        {
            var column = Column(Rows(type, method), parameter.Position);
            Array.ForEach(texts, text => Read(name, parameter.ParameterType, column, text));
            return true;
        }
        return false;
    }

    /// <summary>Benchmarks that differ in this parameter alone, with other values of it.</summary>
    internal static IEnumerable<Benchmark> Replaced(List<Benchmark> benchmarks, string name, string[] texts)
    {
        var first = benchmarks[0];
        var parameter = first.Parameters.FirstOrDefault(p => p.Name == name && !p.IsJob);
        if (parameter == null)
        {
            return benchmarks;
        }
        var type = parameter.Member == null ? first.Method.GetParameters().First(p => p.Name == name).ParameterType : TypeOf(parameter.Member);
        var declared = benchmarks.Select(b => b.Parameters.First(p => p.Name == name && !p.IsJob)).ToList();
        var named = declared.Select(p => new Named(p.Value, p.Text)).ToList();
        var values = texts.Select(text => Read(name, type, named, text)).GroupBy(v => v.Text).Select(g => g.First());
        return values.Select(value =>
        {
            var code = declared.FirstOrDefault(p => p.Text == value.Text)?.Code ?? ValueText.OfLong(value.Value);
            var one = new Parameter(name, value.Value, parameter.Member, value.Text) { Code = code };
            return first.With(first.Parameters.Select(p => p == parameter ? one : p).ToList());
        });
    }

    /// <summary>Texts of values, none of which two values have.</summary>
    internal static List<string> NamesOf(IEnumerable<object?> values) => Name(values).Select(named => named.Text).ToList();

    internal static void Set(MemberInfo member, object? instance, object? value)
    {
        if (member is FieldInfo field)
        {
            field.SetValue(instance, value);
        }
        else
        {
            ((PropertyInfo)member).SetValue(instance, value);
        }
    }

    /// <summary>The attribute of a declaration. It may be of a class derived from ours.</summary>
    private static ParameterAttribute? AttributeOf(MemberInfo member) =>
        member is FieldInfo or PropertyInfo ? Discovery.Attributes<ParameterAttribute>(member).FirstOrDefault() : null;

    internal static Type TypeOf(MemberInfo member) => member is FieldInfo field ? field.FieldType : ((PropertyInfo)member).PropertyType;

    private static List<Named> Declared(Type type, MemberInfo member)
    {
        var wanted = TypeOf(member);
        if (member is PropertyInfo { SetMethod: null })
        {
            throw new DeclarationException($"the property `{member.Name}` has no setter: add `set;`");
        }
        var values = AttributeOf(member) switch
        {
            ParamsAttribute some => some.Values,
            ParamsSourceAttribute source => FromSource(source.Type ?? type, source.Name, source.Type == null),
            _ => AllOf(wanted) ?? throw new DeclarationException($"`[ParamsAllValues]` of `{member.Name}` needs a `bool` or an enumeration"),
        };
        var list = Name(values.Select(v => Fit(member.Name, wanted, v)));
        return list.Count > 0 ? list : throw new DeclarationException($"the parameter `{member.Name}` has no values: give it at least one");
    }

    private static IEnumerable<object?>? AllOf(Type type) => Nullable.GetUnderlyingType(type) is { } inner ? AllOf(inner)?.Append(null)
        : type == typeof(bool) ? [false, true]
        : type.IsEnum ? Enum.GetValues(type).Cast<object>().Distinct()
        : null;

    internal static List<object?> FromSource(Type type, string name, bool mayBeOfInstance)
    {
        var member = type.GetMembers(All | BindingFlags.FlattenHierarchy).FirstOrDefault(m => m.Name == name && m is MethodInfo or PropertyInfo or FieldInfo)
            ?? throw new DeclarationException($"`{type.Name}` has no member `{name}` that returns values");
        var method = member as MethodInfo ?? (member as PropertyInfo)?.GetMethod;
        var isStatic = method?.IsStatic ?? (member as FieldInfo)?.IsStatic ?? true;
        if (!isStatic && !mayBeOfInstance)
        {
            throw new DeclarationException($"`{type.Name}.{name}` returns values and must be static");
        }
        try
        {
            var instance = isStatic ? null : Activator.CreateInstance(type);
            var values = method != null ? method.Invoke(instance, null) : ((FieldInfo)member).GetValue(instance);
            return (values as IEnumerable ?? throw new DeclarationException($"`{type.Name}.{name}` does not return a list of values")).Cast<object?>().ToList();
        }
        catch (Exception thrown) when (thrown is not DeclarationException)
        {
            // A list whose items are made one by one throws when it is read.
            throw new DeclarationException($"`{type.Name}.{name}` threw {Thrown.Text(thrown)}");
        }
    }

    /// <summary>The rows of arguments of a method; one without any when it has no parameters.</summary>
    private static List<List<Named>> Rows(Type type, MethodInfo method)
    {
        var parameters = method.GetParameters();
        var rows = Discovery.Attributes<ArgumentsAttribute>(method).Select(row => row.Values).ToList();
        var before = rows.Count;
        foreach (var source in Discovery.Attributes<ArgumentsSourceAttribute>(method))
        {
            // A row of one argument may stand for itself, also one that is a list of the wanted type.
            bool IsArgument(object v) => parameters.Length == 1 && v.GetType() != typeof(object[]) && parameters[0].ParameterType.IsInstanceOfType(v);
            rows.AddRange(FromSource(source.Type ?? type, source.Name, source.Type == null).Select(v => v is object?[] several && !IsArgument(v) ? several : [v]));
        }
        if (parameters.Length > 0 && rows.Count == 0)
        {
            throw new DeclarationException("the benchmark has parameters but no arguments: add `[Arguments(...)]` or `[ArgumentsSource(...)]`");
        }
        if (rows.Find(r => r.Length != parameters.Length) is { } wrong)
        {
            throw new DeclarationException($"the benchmark has {parameters.Length} parameters, but a row of arguments has {wrong.Length} values");
        }
        if (parameters.Length == 0)
        {
            return [[]];
        }
        var columns = parameters.Select((p, i) => Name(rows.Select(r => Fit(p.Name!, p.ParameterType, r[i])))).ToList();
        // The place is in the source.
        columns.ForEach(column => column.ForEach(v => v.Place -= before));
        return rows.Select((_, row) => columns.Select(column => column[row]).ToList()).ToList();
    }

    private static List<List<Parameter>> With(
        List<Parameter> row, MethodInfo method, List<Named> arguments, List<List<Named>> all, Dictionary<string, string[]> given)
    {
        List<List<Parameter>> rows = [row];
        foreach (var p in method.GetParameters())
        {
            var values = given.ContainsKey(p.Name!) ? Given(p.Name!, p.ParameterType, Column(all, p.Position), given) : [arguments[p.Position]];
            rows = Times(rows, values, v => new Parameter(p.Name!, v.Value, null, v.Text) { Place = ValueText.AtPlace(v.Place, p.Position) });
        }
        return rows;
    }

    private static List<Named> Column(List<List<Named>> rows, int at) => rows.Select(r => r[at]).ToList();

    private static List<List<Parameter>> Times(List<List<Parameter>> rows, List<Named> values, Func<Named, Parameter> parameter) =>
        rows.SelectMany(row => values.Select(v => (List<Parameter>)[.. row, parameter(v)])).ToList();

    private static List<Named> Given(string name, Type type, List<Named> declared, Dictionary<string, string[]> given) =>
        given.TryGetValue(name, out var texts) ? texts.Select(t => Read(name, type, declared, t)).ToList() : declared;

    /// <summary>A value from its text.</summary>
    private static Named Read(string name, Type type, List<Named> declared, string text)
    {
        var inner = Nullable.GetUnderlyingType(type) ?? type;
        inner = inner == typeof(object) ? declared[0].Value?.GetType() ?? inner : inner;
        try
        {
            if (inner == typeof(string))
            {
                return new Named(text, text);
            }
            if (inner == typeof(bool) && text is "true" or "false")
            {
                return new Named(text == "true", text);
            }
            if (inner.IsPrimitive && inner != typeof(bool) && inner != typeof(char) && inner != typeof(IntPtr) && inner != typeof(UIntPtr))
            {
                var value = inner == typeof(double) || inner == typeof(float)
                    ? Convert.ChangeType(double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture), inner, CultureInfo.InvariantCulture)
                    : Convert.ChangeType(decimal.Parse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture), inner, CultureInfo.InvariantCulture);
                return new Named(value, Texts.Of(value)!);
            }
            if (inner.IsEnum && Enum.GetNames(inner).Contains(text))
            {
                return new Named(Enum.Parse(inner, text), text);
            }
        }
        catch (Exception e) when (e is FormatException or OverflowException)
        {
            throw new DeclarationException($"`{text}` is not a value of `{name}`, which is of the type {inner.Name}");
        }
        return declared.Find(d => d.Text == text)
            ?? throw new DeclarationException($"`{text}` is not a value of `{name}`; it has {string.Join(", ", declared.Select(d => $"`{d.Text}`"))}");
    }

    /// <summary>A declared value in the type that it is for: 1 may be the value of a `long`.</summary>
    internal static object? Fit(string name, Type type, object? value)
    {
        var wanted = type.IsByRef ? type.GetElementType()! : type;
        wanted = Nullable.GetUnderlyingType(wanted) ?? wanted;
        if (value == null || wanted.IsInstanceOfType(value) || LoopCall.IsStackOnly(wanted))
        {
            return value;
        }
        try
        {
            return wanted.IsEnum ? Enum.ToObject(wanted, value) : Convert.ChangeType(value, wanted, CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is InvalidCastException or FormatException or OverflowException or ArgumentException)
        {
            throw new DeclarationException($"the value `{value}` does not fit `{name}`, which is of the type {wanted.Name}");
        }
    }

    /// <summary>Gives each value a text, which no other one of them has.</summary>
    private static List<Named> Name(IEnumerable<object?> values)
    {
        var named = values.Select((v, place) => new Named(v, NameOf(v)) { Place = place }).ToList();
        // Equal values may differ in their text: two times of different kinds.
        static bool IsSame(object? a, object? b) => Equals(a, b) && ValueText.Of(a) == ValueText.Of(b);
        foreach (var same in named.GroupBy(n => n.Text).Where(g => !g.All(n => IsSame(n.Value, g.First().Value))))
        {
            var number = 1;
            foreach (var one in same.Skip(1))
            {
                one.Text += $"#{++number}";
            }
        }
        return named;
    }

    /// <summary>What tables can hold: of a large array its size, of a long text its beginning.</summary>
    private static string NameOf(object? value)
    {
        if (value is Array array)
        {
            var list = array.Length > LongestName ? null : Texts.Of(array);
            return list?.Length <= LongestList ? Texts.Visible(list!) : $"{array.GetType().GetElementType()!.Name}[{array.Length}]";
        }
        var text = Texts.Visible(value == null ? "null" : value as string ?? Texts.Of(value) ?? Discovery.NameOf(value.GetType()));
        return text.Length <= LongestName ? text : $"{Texts.Beginning(text, BeginningOfName)} [{text.Length}]";
    }

    private sealed class Named(object? value, string text)
    {
        internal object? Value { get; } = value;
        internal string Text { get; set; } = text;

        /// <summary>Its place among the values of its source.</summary>
        internal int Place { get; set; }
    }
}
