// The text of a value, the same in all languages (rule R21 of the protocol), and its hash.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Text;

namespace Tare
{
    internal static class Texts
    {
        /// <summary>The text of a value; null when it has none.</summary>
        internal static string Of(object value)
        {
            try
            {
                return value == null ? null : Text(value, false);
            }
            catch (Exception thrown) when (!(thrown is OutOfMemoryException))
            {
                // Its `ToString` or its enumerator is code of the user.
                throw new DeclarationException("a value of the type `" + Discovery.NameOf(value.GetType()) + "` has no text: its code threw " + Thrown.Text(thrown));
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
            StringBuilder changed = null;
            for (var i = 0; i < text.Length; i++)
            {
                if (char.IsSurrogate(text[i]))
                {
                    if (i + 1 < text.Length && char.IsSurrogatePair(text[i], text[i + 1]))
                    {
                        i++;
                        continue;
                    }
                    changed = changed ?? new StringBuilder(text);
                    changed[i] = '\uFFFD';
                }
            }
            return changed?.ToString() ?? text;
        }

        /// <summary>What has no look of its own as C# writes it: two values must not look alike where one has a line break and the other a space.</summary>
        internal static string Visible(string text)
        {
            string Escaped(char c) => c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\t' ? "\\t" : c == '\0' ? "\\0" : "\\u" + ((int)c).ToString("x4");
            return text == null ? null : string.Concat(text.Select((c, at) => IsHidden(text, at) ? Escaped(c) : c.ToString()));
        }

        private static bool IsHidden(string text, int at)
        {
            switch (char.GetUnicodeCategory(text[at]))
            {
                case UnicodeCategory.Control:
                case UnicodeCategory.Format:
                case UnicodeCategory.LineSeparator:
                case UnicodeCategory.ParagraphSeparator:
                case UnicodeCategory.SpaceSeparator:
                    return text[at] != ' ';
                case UnicodeCategory.Surrogate:
                    return !char.IsSurrogatePair(text, char.IsHighSurrogate(text[at]) ? at : Math.Max(at - 1, 0));
                default:
                    return false;
            }
        }

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
            var mantissa = parts[0].Split('.');
            var digits = (mantissa[0] + (mantissa.Length > 1 ? mantissa[1] : string.Empty)).TrimStart('0');
            var leading = mantissa[0].TrimStart('0').Length;
            if (leading == 0 && mantissa.Length > 1)
            {
                leading = mantissa[1].TrimStart('0').Length - mantissa[1].Length;
            }
            // The value is 0.DIGITS times 10 to the power of `point`.
            var point = leading + (parts.Length > 1 ? int.Parse(parts[1], CultureInfo.InvariantCulture) : 0);
            digits = digits.TrimEnd('0');
            string text;
            if (point > 0 && point <= 21)
            {
                var whole = digits.Length <= point ? digits.PadRight(point, '0') : digits.Substring(0, point);
                text = digits.Length <= point ? whole : whole + "." + digits.Substring(point);
            }
            else if (point > -6 && point <= 0)
            {
                text = "0." + new string('0', -point) + digits;
            }
            else
            {
                var exponent = point - 1;
                text = digits.Substring(0, 1) + (digits.Length > 1 ? "." + digits.Substring(1) : string.Empty)
                    + "e" + (exponent < 0 ? "-" : "+") + Math.Abs(exponent).ToString(CultureInfo.InvariantCulture);
            }
            return value < 0 ? "-" + text : text;
        }

        /// <summary>The runtime's own text may have a digit too many where a shorter one lies on the border of what reads back the same.</summary>
        private static string Shortest(double value)
        {
            var text = value.ToString("R", CultureInfo.InvariantCulture);
            for (var digits = text.Split('E')[0].Count(char.IsDigit) - 1; digits > 0; digits--)
            {
                var shorter = value.ToString("E" + (digits - 1), CultureInfo.InvariantCulture);
                if (!double.TryParse(shorter, NumberStyles.Float, CultureInfo.InvariantCulture, out var read) || read != value)
                {
                    break;
                }
                text = shorter;
            }
            return text;
        }

        private static string Text(object value, bool inside)
        {
            switch (value)
            {
                case bool truth:
                    return truth ? "true" : "false";
                case double number:
                    return Float(number);
                case float number:
                    return Float(number);
                case sbyte _:
                case byte _:
                case short _:
                case ushort _:
                case int _:
                case uint _:
                case long _:
                case ulong _:
                case BigInteger _:
                    return ((IFormattable)value).ToString(null, CultureInfo.InvariantCulture);
                case IntPtr pointer:
                    return ((long)pointer).ToString(CultureInfo.InvariantCulture);
                case char one:
                    return Quoted(Whole(one.ToString()), inside);
                case string text:
                    return Quoted(Whole(text), inside);
            }
            if (Elements(value) is IEnumerable<object> elements)
            {
                var texts = elements.Select(e => e == null ? "null" : Text(e, true)).ToList();
                return texts.Contains(null) ? null : "[" + string.Join(",", texts) + "]";
            }
            if (value is IEnumerable || !HasText(value.GetType()))
            {
                return null;
            }
            var own = value is IFormattable formattable ? formattable.ToString(null, CultureInfo.InvariantCulture) : value.ToString();
            return own == null ? null : Quoted(Whole(own), inside);
        }

        private static string Quoted(string text, bool inside)
        {
            return inside ? Json.Quoted(text) : text;
        }

        /// <summary>The elements of what keeps an order; null for everything else.</summary>
        private static IEnumerable<object> Elements(object value)
        {
            var type = value.GetType();
            var generic = type.IsGenericType ? type.GetGenericTypeDefinition() : null;
            var name = generic?.FullName ?? string.Empty;
            if (generic == typeof(KeyValuePair<,>))
            {
                return new[] { type.GetProperty("Key").GetValue(value), type.GetProperty("Value").GetValue(value) };
            }
            if (name.StartsWith("System.ValueTuple`", StringComparison.Ordinal) || name.StartsWith("System.Tuple`", StringComparison.Ordinal))
            {
                return TupleItems(value, type);
            }
            if (value is IDictionary map)
            {
                return name.StartsWith("System.Collections.Generic.Sorted", StringComparison.Ordinal)
                    ? map.Cast<object>().Select(pair => (object)new[] { Entry(pair, "Key"), Entry(pair, "Value") })
                    : null;
            }
            var ordered = value is IList || name == "System.Collections.Generic.SortedSet`1" || name == "System.Collections.Generic.Queue`1"
                || name == "System.Collections.Generic.Stack`1" || name == "System.Collections.Generic.LinkedList`1"
                || type.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IReadOnlyList<>));
            return ordered ? ((IEnumerable)value).Cast<object>() : null;
        }

        private static object Entry(object pair, string name)
        {
            return pair is DictionaryEntry entry
                ? (name == "Key" ? entry.Key : entry.Value)
                : pair.GetType().GetProperty(name).GetValue(pair);
        }

        private static IEnumerable<object> TupleItems(object value, Type type)
        {
            foreach (var name in Enumerable.Range(1, 7).Select(i => "Item" + i))
            {
                var field = type.GetField(name);
                var property = type.GetProperty(name);
                if (field != null || property != null)
                {
                    yield return field != null ? field.GetValue(value) : property.GetValue(value);
                }
            }
            var rest = type.GetField("Rest")?.GetValue(value) ?? type.GetProperty("Rest")?.GetValue(value);
            foreach (var item in rest == null ? Enumerable.Empty<object>() : TupleItems(rest, rest.GetType()))
            {
                yield return item;
            }
        }

        /// <summary>A text of its own, and not the name of its type, which says nothing.</summary>
        internal static bool HasText(Type type)
        {
            var declares = type.GetMethod("ToString", BindingFlags.Public | BindingFlags.Instance, null, Type.EmptyTypes, null)?.DeclaringType;
            return declares != typeof(object) && declares != typeof(ValueType) && !typeof(Delegate).IsAssignableFrom(type)
                && !(type.Namespace ?? string.Empty).StartsWith("System.Threading", StringComparison.Ordinal);
        }
    }
}
