// What the code of a benchmark is called by other tools for .NET, which keep results under these names.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Tare
{
    internal static class CodeName
    {
        /// <summary>Elements of a list that are in a name.</summary>
        private const int ElementsMost = 5;

        private static readonly Dictionary<Type, string> Keywords = new Dictionary<Type, string>
        {
            { typeof(byte), "byte" }, { typeof(sbyte), "sbyte" }, { typeof(short), "short" }, { typeof(ushort), "ushort" }, { typeof(int), "int" }, { typeof(uint), "uint" },
            { typeof(long), "long" }, { typeof(ulong), "ulong" }, { typeof(float), "float" }, { typeof(double), "double" }, { typeof(decimal), "decimal" },
            { typeof(object), "object" }, { typeof(bool), "bool" }, { typeof(char), "char" }, { typeof(string), "string" },
        };

        /// <summary>The names of a benchmark, for its line.</summary>
        internal static Json Of(Benchmark benchmark)
        {
            return new Json()
                .Add("namespace", benchmark.Type.Namespace)
                .Add("type", OneType(benchmark.Type))
                .Add("method", benchmark.Method.Name)
                .Add("full", Full(benchmark));
        }

        /// <summary>`Namespace.Outer+Class.Method(argument: 1, Member: "a")`; without what its values are where one of them cannot say it.</summary>
        internal static string Full(Benchmark benchmark)
        {
            var values = benchmark.Parameters.Where(p => !p.IsJob).OrderBy(p => p.Member != null).Select(p => p.Name + ": " + Value(p)).ToList();
            return Bare(benchmark, '+') + (values.Count == 0 ? string.Empty : "(" + string.Join(", ", values) + ")");
        }

        /// <summary>`Namespace.Outer.Class.Method`.</summary>
        internal static string Bare(Benchmark benchmark, char between)
        {
            var type = benchmark.Type;
            return (string.IsNullOrEmpty(type.Namespace) ? string.Empty : type.Namespace + ".") + TypeOf(type, between) + "." + benchmark.Method.Name;
        }

        /// <summary>A class with those around it, and with the types that it was closed with.</summary>
        private static string TypeOf(Type type, char between)
        {
            var around = string.Empty;
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
            return type.IsGenericType ? name + "<" + string.Join(", ", type.GetGenericArguments().Select(OneType)) + ">" : name;
        }

        private static string Value(Parameter parameter)
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

        private static string Value(object value)
        {
            switch (value)
            {
                case null:
                    return "null";
                case object[] one when one.Length == 1:
                    return Value(one[0]);
                case string text:
                    return "\"" + string.Concat(text.Select(c => Escaped(c, '"'))) + "\"";
                case char one:
                    return "'" + Escaped(one, '\'') + "'";
                case DateTime time:
                    return time.ToString("yyyy'-'MM'-'dd'T'HH':'mm':'ss.fffffffK");
                case Type type:
                    return "typeof(" + Keyword(type) + ")";
                case Array array:
                    return List(array);
                default:
                    return value.ToString();
            }
        }

        private static string List(IEnumerable values)
        {
            var texts = values.Cast<object>().Take(ElementsMost + 1).Select((value, at) => at < ElementsMost ? Value(value) : "...");
            return "[" + string.Join(", ", texts) + "]";
        }

        private static string Keyword(Type type)
        {
            var inner = Nullable.GetUnderlyingType(type);
            if (inner != null)
            {
                return Keyword(inner) + "?";
            }
            return Keywords.TryGetValue(type, out var word) ? word : (string.IsNullOrEmpty(type.Namespace) ? string.Empty : type.Namespace + ".") + OneType(type);
        }

        /// <summary>A character as C# writes it between such quotes.</summary>
        private static string Escaped(char one, char quote)
        {
            switch (one)
            {
                case '\0':
                    return "\\0";
                case '\a':
                    return "\\a";
                case '\b':
                    return "\\b";
                case '\f':
                    return "\\f";
                case '\n':
                    return "\\n";
                case '\r':
                    return "\\r";
                case '\t':
                    return "\\t";
                case '\v':
                    return "\\v";
                case '\\':
                    return "\\\\";
                default:
                    return one == quote ? "\\" + one : char.IsControl(one) || one == '\u2028' || one == '\u2029' ? "\\u" + ((int)one).ToString("x4") : one.ToString();
            }
        }
    }
}
