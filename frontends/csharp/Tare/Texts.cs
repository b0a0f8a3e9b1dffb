// The text of a value, the same in all languages (rule R21 of the protocol), and its hash.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Text;

namespace Tare;

internal static class Texts
{
    /// <summary>The text of a value; null when it has none.</summary>
    internal static string? Of(object? value)
    {
        try
        {
            return value == null ? null : Text(value, false);
        }
        catch (Exception thrown) when (thrown is not OutOfMemoryException)
        {
            // Its `ToString` or its enumerator is code of the user.
            throw new DeclarationException($"a value of the type `{Discovery.NameOf(value!.GetType())}` has no text: its code threw {Thrown.Text(thrown)}");
        }
    }

    /// <summary>FNV-1a, 64 bits, as 16 hexadecimal digits.</summary>
    internal static string Digest(string text)
    {
        var hash = 14695981039346656037UL;
        foreach (var part in Encoding.UTF8.GetBytes(Whole(text)))
        {
            hash = unchecked((hash ^ part) * 1099511628211UL);
        }
        return hash.ToString("x16", CultureInfo.InvariantCulture);
    }

    /// <summary>The beginning of a text: so many code points, none of them cut in two.</summary>
    internal static string Beginning(string text, int most)
    {
        var at = 0;
        for (var points = 0; at < text.Length && points < most; points++)
        {
            at += char.IsSurrogatePair(text, at) ? 2 : 1;
        }
        return text.Substring(0, at);
    }

    /// <summary>Halves of pairs, which UTF-8 cannot hold, become U+FFFD.</summary>
    internal static string Whole(string text)
    {
        StringBuilder? changed = null;
        for (var i = 0; i < text.Length; i++)
        {
            if (char.IsSurrogate(text[i]))
            {
                if (i + 1 < text.Length && char.IsSurrogatePair(text[i], text[i + 1]))
                {
                    i++;
                    continue;
                }
                changed ??= new StringBuilder(text);
                changed[i] = '\uFFFD';
            }
        }
        return changed?.ToString() ?? text;
    }

    /// <summary>Characters without a look of their own as C# writes them: two values must not look alike where one has a line break and the other a space.</summary>
    internal static string Visible(string text) => string.Concat(text.Select((c, at) => IsHidden(text, at) ? CodeName.Escaped(c) : c.ToString()));

    private static bool IsHidden(string text, int at) => char.GetUnicodeCategory(text[at]) switch
    {
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.SpaceSeparator => text[at] != ' ',
        UnicodeCategory.Surrogate => !char.IsSurrogatePair(text, char.IsHighSurrogate(text[at]) ? at : Math.Max(at - 1, 0)),
        _ => false,
    };

    /// <summary>As JavaScript and RFC 8785 write it: the shortest digits that read back as the same double.</summary>
    internal static string Float(double value)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            return double.IsNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
        }
        if (value == 0)
        {
            return "0";
        }
        var parts = Shortest(Math.Abs(value)).Split('E');
        var written = parts[0].Replace(".", "");
        var digits = written.TrimStart('0');
        // The value is 0.DIGITS times 10 to the power of `point`.
        var point = parts[0].Split('.')[0].Length - (written.Length - digits.Length) + (parts.Length > 1 ? int.Parse(parts[1], CultureInfo.InvariantCulture) : 0);
        digits = digits.TrimEnd('0');
        var text = point switch
        {
            > 0 and <= 21 => digits.Length <= point ? digits.PadRight(point, '0') : digits.Insert(point, "."),
            > -6 and <= 0 => $"0.{new string('0', -point)}{digits}",
            _ => $"{digits.Insert(1, digits.Length > 1 ? "." : "")}e{point - 1:+0;-0}",
        };
        return value < 0 ? $"-{text}" : text;
    }

    /// <summary>The runtime's own text may have a digit too many where a shorter one lies on the border of what reads back the same.</summary>
    private static string Shortest(double value)
    {
        var text = value.ToString("R", CultureInfo.InvariantCulture);
        for (var digits = text.Split('E')[0].Count(char.IsDigit) - 1; digits > 0; digits--)
        {
            var shorter = value.ToString($"E{digits - 1}", CultureInfo.InvariantCulture);
            if (!double.TryParse(shorter, NumberStyles.Float, CultureInfo.InvariantCulture, out var read) || read != value)
            {
                break;
            }
            text = shorter;
        }
        return text;
    }

    private static string? Text(object value, bool inside)
    {
        switch (value)
        {
            case bool truth:
                return truth ? "true" : "false";
            case double number:
                return Float(number);
            case float number:
                return Float(number);
            case sbyte or byte or short or ushort or int or uint or long or ulong or BigInteger:
                return ((IFormattable)value).ToString(null, CultureInfo.InvariantCulture);
            case IntPtr pointer:
                return ((long)pointer).ToString(CultureInfo.InvariantCulture);
            case char one:
                return Quoted(one.ToString(), inside);
            case string text:
                return Quoted(text, inside);
        }
        if (Elements(value) is { } elements)
        {
            var texts = elements.Select(e => e == null ? "null" : Text(e, true)).ToList();
            return texts.Contains(null) ? null : $"[{string.Join(",", texts)}]";
        }
        if (value is IEnumerable || !HasText(value.GetType()))
        {
            return null;
        }
        var own = value is IFormattable formattable ? formattable.ToString(null, CultureInfo.InvariantCulture) : value.ToString();
        return own == null ? null : Quoted(own, inside);
    }

    private static string Quoted(string text, bool inside) => inside ? Json.Quoted(Whole(text)) : Whole(text);

    /// <summary>The elements of what keeps an order; null for everything else.</summary>
    private static IEnumerable<object?>? Elements(object value)
    {
        var type = value.GetType();
        var generic = type.IsGenericType ? type.GetGenericTypeDefinition() : null;
        var name = generic?.FullName ?? "";
        if (generic == typeof(KeyValuePair<,>))
        {
            return [Property(value, "Key"), Property(value, "Value")];
        }
        if (name.StartsWith("System.ValueTuple`", StringComparison.Ordinal) || name.StartsWith("System.Tuple`", StringComparison.Ordinal))
        {
            return TupleItems(value);
        }
        if (value is IDictionary map)
        {
            // Those that sort their keys.
            return name.StartsWith("System.Collections.Generic.Sorted", StringComparison.Ordinal)
                ? map.Cast<object>().Select(pair => (object?)new[] { Property(pair, "Key"), Property(pair, "Value") })
                : null;
        }
        var isOrdered = value is IList
            || name is "System.Collections.Generic.SortedSet`1" or "System.Collections.Generic.Queue`1" or "System.Collections.Generic.Stack`1" or "System.Collections.Generic.LinkedList`1"
            || type.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IReadOnlyList<>));
        return isOrdered ? ((IEnumerable)value).Cast<object?>() : null;
    }

    private static object? Property(object value, string name) => value.GetType().GetProperty(name)?.GetValue(value);

    private static IEnumerable<object?> TupleItems(object value)
    {
        // Fields of a value, properties of an object.
        var type = value.GetType();
        object? Item(string name) => type.GetField(name) is { } field ? field.GetValue(value) : Property(value, name);
        var count = type.GetGenericArguments().Length;
        return Enumerable.Range(1, Math.Min(count, 7)).Select(i => Item($"Item{i}")).Concat(count < 8 ? [] : TupleItems(Item("Rest")!));
    }

    /// <summary>A text of its own, and not the name of its type, which says nothing.</summary>
    internal static bool HasText(Type type)
    {
        var declares = type.GetMethod("ToString", BindingFlags.Public | BindingFlags.Instance, null, Type.EmptyTypes, null)?.DeclaringType;
        return declares != typeof(object) && declares != typeof(ValueType) && !typeof(Delegate).IsAssignableFrom(type)
            && !(type.Namespace ?? "").StartsWith("System.Threading", StringComparison.Ordinal);
    }
}
