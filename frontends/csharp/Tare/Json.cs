// One line of JSON.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Tare
{
    /// <summary>An object under construction; members with the value null are left out unless they are said to be null.</summary>
    internal sealed class Json
    {
        /// <summary>The JSON word.</summary>
        internal static readonly object Null = new object();

        private readonly StringBuilder text = new StringBuilder("{");

        internal Json(string reply)
        {
            Add("reply", reply);
        }

        internal Json()
        {
        }

        internal Json Add(string name, object value)
        {
            if (value == null)
            {
                return this;
            }
            text.Append(text.Length > 1 ? "," : string.Empty).Append('"').Append(name).Append("\":");
            Write(value);
            return this;
        }

        public override string ToString()
        {
            return text + "}";
        }

        /// <summary>As `JSON.stringify` quotes it.</summary>
        internal static string Quoted(string value)
        {
            var quoted = new StringBuilder("\"");
            foreach (var c in value)
            {
                var at = "\"\\\b\t\n\f\r".IndexOf(c);
                if (at >= 0)
                {
                    quoted.Append('\\').Append("\"\\btnfr"[at]);
                }
                else if (c < ' ')
                {
                    quoted.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                }
                else
                {
                    quoted.Append(c);
                }
            }
            return quoted.Append('"').ToString();
        }

        private void Write(object value)
        {
            switch (value)
            {
                case string s:
                    text.Append(Quoted(Texts.Whole(s)));
                    break;
                case bool b:
                    text.Append(b ? "true" : "false");
                    break;
                case double[] numbers:
                    List(numbers, n => text.Append(Number(n)));
                    break;
                case long[] numbers:
                    List(numbers, n => text.Append(n.ToString(CultureInfo.InvariantCulture)));
                    break;
                case double d:
                    text.Append(Number(d));
                    break;
                case IEnumerable<string> strings:
                    List(strings, s => text.Append(Quoted(Texts.Whole(s))));
                    break;
                case IEnumerable<Json> objects:
                    List(objects, o => text.Append(o));
                    break;
                default:
                    text.Append(value == Null ? "null" : Convert.ToString(value, CultureInfo.InvariantCulture));
                    break;
            }
        }

        private void List<T>(IEnumerable<T> values, Action<T> write)
        {
            text.Append('[');
            var first = true;
            foreach (var value in values)
            {
                text.Append(first ? string.Empty : ",");
                first = false;
                write(value);
            }
            text.Append(']');
        }

        private static string Number(double value)
        {
            return Math.Abs(value) < 1e15 && value == Math.Floor(value)
                ? ((long)value).ToString(CultureInfo.InvariantCulture)
                : value.ToString("R", CultureInfo.InvariantCulture);
        }
    }
}
