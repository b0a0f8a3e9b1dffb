// A benchmark as a text: with it a process that measures finds its benchmark without reading any declaration.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Tare
{
    /// <summary>A value as a process finds it again.</summary>
    internal sealed class ValueText
    {
        private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

        /// <summary>Longer texts are found again by their place, where they have one.</summary>
        private const int Longest = 200;

        /// <summary>A variable of the environment holds no more.</summary>
        private const int LongestOfAll = 30000;

        /// <summary>The text of a value that a short text can hold; null: it cannot.</summary>
        internal static string Of(object value)
        {
            var isLong = value is Array all && all.Length > Longest;
            var text = isLong ? null : OfAny(value);
            return text?.Length > Longest ? null : text;
        }

        /// <summary>The same of a text that may be long.</summary>
        internal static string OfLong(object value)
        {
            var isLong = value is Array all && all.Length > LongestOfAll;
            var text = isLong ? null : OfAny(value);
            return text?.Length > LongestOfAll ? null : text;
        }

        private static string OfAny(object value)
        {
            switch (value)
            {
                case null:
                    return "n";
                case string text:
                    // A variable of the environment has no place for half a pair.
                    return ReferenceEquals(Texts.Whole(text), text) ? "s" + text : null;
                case Enum one:
                    return "e" + Convert.ToDecimal(one, CultureInfo.InvariantCulture).ToString(CultureInfo.InvariantCulture) + " " + Case.NameOf(one.GetType());
                case Type type:
                    return "t" + Case.NameOf(type);
                case char letter:
                    return "c" + ((int)letter).ToString(CultureInfo.InvariantCulture);
                case DateTime time:
                    return "d" + time.ToBinary().ToString(CultureInfo.InvariantCulture);
                case IntPtr pointer:
                    return "i" + pointer.ToInt64().ToString(CultureInfo.InvariantCulture);
                case double number:
                    return "v" + (int)TypeCode.Double + " " + number.ToString("R", CultureInfo.InvariantCulture);
                case float number:
                    return "v" + (int)TypeCode.Single + " " + number.ToString("R", CultureInfo.InvariantCulture);
                case decimal number:
                    return "v" + (int)TypeCode.Decimal + " " + number.ToString(CultureInfo.InvariantCulture);
                case Array list when list.Rank == 1:
                    var values = list.Cast<object>().Select(OfAny).ToList();
                    return values.Contains(null) ? null
                        : "l" + Case.Escaped(Case.NameOf(list.GetType().GetElementType())) + " " + string.Join(" ", values.Select(Case.Escaped));
                default:
                    var code = Convert.GetTypeCode(value);
                    return code >= TypeCode.Boolean && code <= TypeCode.UInt64 ? "v" + (int)code + " " + ((IConvertible)value).ToString(CultureInfo.InvariantCulture) : null;
            }
        }

        /// <summary>The value with this place among those of a member, or in the rows of arguments of a method.</summary>
        internal static string AtPlace(int row, int column = 0)
        {
            return "p" + row.ToString(CultureInfo.InvariantCulture) + " " + column.ToString(CultureInfo.InvariantCulture);
        }

        /// <summary>The value of a text. `values`: gives that at a place.</summary>
        internal static object Read(string text, Func<int, int, object> values)
        {
            var rest = text.Substring(1);
            var words = rest.Split(new[] { ' ' }, 2);
            switch (text[0])
            {
                case 'n':
                    return null;
                case 's':
                    return rest;
                case 'e':
                    var type = Case.TypeOf(words[1]);
                    return Enum.ToObject(type, Convert.ChangeType(decimal.Parse(words[0], CultureInfo.InvariantCulture), Enum.GetUnderlyingType(type), CultureInfo.InvariantCulture));
                case 't':
                    return Case.TypeOf(rest);
                case 'c':
                    return (char)int.Parse(rest, CultureInfo.InvariantCulture);
                case 'd':
                    return DateTime.FromBinary(long.Parse(rest, CultureInfo.InvariantCulture));
                case 'i':
                    return new IntPtr(long.Parse(rest, CultureInfo.InvariantCulture));
                case 'v':
                    return Convert.ChangeType(words[1], (TypeCode)int.Parse(words[0], CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
                case 'l':
                    var all = rest.Split(' ');
                    var items = all.Skip(1).Where(item => item.Length > 0).ToList();
                    var list = Array.CreateInstance(Case.TypeOf(Case.Plain(all[0])), items.Count);
                    for (var i = 0; i < items.Count; i++)
                    {
                        list.SetValue(Read(Case.Plain(items[i]), values), i);
                    }
                    return list;
                default:
                    return values(int.Parse(words[0], CultureInfo.InvariantCulture), int.Parse(words[1], CultureInfo.InvariantCulture));
            }
        }

        /// <summary>The values of a field or property that an attribute of another library declares: one called `Params`, or a source.</summary>
        internal static object OfMember(Type type, MemberInfo member, int at)
        {
            foreach (var attribute in member.GetCustomAttributes(true))
            {
                if (IsNamed(attribute, "ParamsAttribute"))
                {
                    return ((object[])Property(attribute, "Values"))[at];
                }
                if (IsNamed(attribute, "ParamsSourceAttribute"))
                {
                    return Single(Source(type, attribute)[at]);
                }
            }
            throw new InvalidOperationException("`" + member.Name + "` has no values");
        }

        /// <summary>An argument of a method, by its row and its place in the row.</summary>
        internal static object OfMethod(Type type, MethodInfo method, int row, int column)
        {
            var sources = method.GetCustomAttributes(true).Where(attribute => IsNamed(attribute, "ArgumentsSourceAttribute"));
            var value = sources.SelectMany(source => Source(type, source)).ElementAt(row);
            var parameters = method.GetParameters();
            var isRow = value is object[] several && several.Length == parameters.Length && (parameters.Length > 1 || !parameters[0].ParameterType.IsInstanceOfType(value));
            return isRow ? ((object[])value)[column] : value;
        }

        internal static bool IsPlace(string text)
        {
            return text != null && text.StartsWith("p", StringComparison.Ordinal);
        }

        /// <summary>The types by which the values of a member or a method are found again.</summary>
        internal static IEnumerable<Type> TypesOfSource(MemberInfo member)
        {
            var attributes = member.GetCustomAttributes(true).Where(a => IsNamed(a, "ParamsAttribute") || IsNamed(a, "ParamsSourceAttribute") || IsNamed(a, "ArgumentsSourceAttribute"));
            return attributes.SelectMany(a => new[] { a.GetType(), Property(a, "Type") as Type }).Where(type => type != null);
        }

        /// <summary>The member without values, or the source without rows, by which a method has no cases; null: there is none.</summary>
        internal static string WithoutValues(Type type, MethodInfo method)
        {
            var sources = method.GetCustomAttributes(true).Where(a => IsNamed(a, "ArgumentsSourceAttribute")).ToList();
            bool IsEmpty(object a) => IsNamed(a, "ParamsAttribute") ? ((object[])Property(a, "Values")).Length == 0 : IsNamed(a, "ParamsSourceAttribute") && Source(type, a).Count == 0;
            return type.GetMembers(All).FirstOrDefault(m => (m is FieldInfo || m is PropertyInfo) && m.GetCustomAttributes(true).Any(IsEmpty))?.Name
                ?? (sources.Count > 0 && sources.All(a => Source(type, a).Count == 0) ? (string)Property(sources[0], "Name") : null);
        }

        private static object Single(object value)
        {
            return value is object[] one && one.Length == 1 ? one[0] : value;
        }

        private static List<object> Source(Type type, object attribute)
        {
            var of = (Type)Property(attribute, "Type");
            return Parameters.FromSource(of ?? type, (string)Property(attribute, "Name"), of == null).ToList();
        }

        private static bool IsNamed(object attribute, string name)
        {
            for (var type = attribute.GetType(); type != null; type = type.BaseType)
            {
                if (type.Name == name)
                {
                    return true;
                }
            }
            return false;
        }

        /// <summary>Older versions of a library may lack it.</summary>
        private static object Property(object attribute, string name)
        {
            return attribute.GetType().GetProperty(name, All)?.GetValue(attribute, null);
        }
    }

    /// <summary>The text of a benchmark: what an environment variable of its processes has.</summary>
    internal static class Case
    {
        /// <summary>The variable.</summary>
        internal const string Variable = "BENCHMARK_CASE";
        private const BindingFlags Own = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

        /// <summary>Its text with its index.</summary>
        internal static string Of(Benchmark benchmark, int index)
        {
            var steps = new[] { benchmark.GlobalSetups, benchmark.GlobalCleanups, benchmark.IterationSetups, benchmark.IterationCleanups };
            var words = new List<string> { index.ToString(CultureInfo.InvariantCulture), Escaped(NameOf(benchmark.Type)), Name(benchmark.Method) };
            words.AddRange(steps.Select(some => string.Join(",", some.Select(Name))));
            words.Add(Benchmark.StrategyOf(benchmark.Settings) ?? string.Empty);
            foreach (var parameter in benchmark.Parameters.Where(p => !p.IsJob))
            {
                var place = parameter.Member == null ? string.Empty : Escaped(NameOf(parameter.Member.DeclaringType));
                words.Add(string.Join(",", Escaped(parameter.Name), place, Escaped(Texts.Beginning(parameter.Text, 100)), Escaped(parameter.Code)));
            }
            return string.Join(";", words);
        }

        /// <summary>The benchmark of this process; null: it was started for none.</summary>
        internal static ICatalog OfProcess()
        {
            var text = Environment.GetEnvironmentVariable(Variable);
            if (text == null)
            {
                return null;
            }
            var words = text.Split(';');
            var type = TypeOf(Plain(words[1]));
            var method = MethodOf(words[2]);
            var steps = words.Skip(3).Take(4).Select(some => some.Split(',').Where(word => word.Length > 0).Select(MethodOf).ToList()).ToList();
            var strategy = words[7] == "cold-start" ? Strategy.ColdStart : words[7] == "monitoring" ? Strategy.Monitoring : Strategy.Throughput;
            var index = ulong.Parse(words[0], CultureInfo.InvariantCulture);
            return new CatalogOfOne(index, new Benchmark
            {
                Code = Ahead.CodeOf((int)index),
                Type = type,
                Method = method,
                Attribute = new BenchmarkAttribute(),
                Group = string.Empty,
                Name = method.Name,
                Categories = new string[0],
                GlobalSetups = steps[0],
                GlobalCleanups = steps[1],
                IterationSetups = steps[2],
                IterationCleanups = steps[3],
                Settings = strategy == Strategy.Throughput ? new SettingAttribute[0] : new[] { new SettingAttribute(strategy) },
                Parameters = words.Skip(8).Select(word => ParameterOf(type, method, word.Split(','))).ToList(),
            });
        }

        internal static string Escaped(string text)
        {
            return Uri.EscapeDataString(text);
        }

        internal static string Plain(string text)
        {
            return Uri.UnescapeDataString(text);
        }

        /// <summary>With its assembly, and without the version of that: another runtime has others of its own assemblies.</summary>
        internal static string NameOf(Type type)
        {
            return Ahead.Name(Regex.Replace(type.AssemblyQualifiedName, @", Version=[^,\]]*, Culture=[^,\]]*, PublicKeyToken=[^,\]]*", string.Empty), type);
        }

        internal static Type TypeOf(string name)
        {
            return Ahead.TypeOf(name) ?? Type.GetType(name, true);
        }

        private static Parameter ParameterOf(Type type, MethodInfo method, string[] words)
        {
            var name = Plain(words[0]);
            var declaring = words[1].Length == 0 ? null : TypeOf(Plain(words[1]));
            var member = declaring?.GetMembers(Own).First(m => m.Name == name && (m is FieldInfo || m is PropertyInfo));
            var code = Plain(words[3]);
            var value = ValueText.Read(code, (row, column) => member == null ? ValueText.OfMethod(type, method, row, column) : ValueText.OfMember(type, member, row));
            var wanted = member == null ? method.GetParameters().First(p => p.Name == name).ParameterType : Parameters.TypeOf(member);
            return new Parameter(name, Parameters.Fit(name, wanted, value), member, Plain(words[2])) { Code = code };
        }

        /// <summary>Where its class has several of the name, with what tells them apart.</summary>
        private static string Name(MethodInfo method)
        {
            var isAlone = method.DeclaringType.GetMethods(Own).Count(m => m.Name == method.Name) == 1;
            return Escaped(isAlone ? method.Name : method.ToString()) + "@" + Escaped(NameOf(method.DeclaringType));
        }

        private static MethodInfo MethodOf(string text)
        {
            var words = text.Split('@');
            var name = Plain(words[0]);
            var methods = TypeOf(Plain(words[1])).GetMethods(Own);
            return methods.FirstOrDefault(m => m.Name == name) ?? methods.First(m => m.ToString() == name);
        }
    }
}
