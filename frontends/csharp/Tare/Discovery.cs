// What benchmarks an assembly has.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;

namespace Tare
{
    internal static class Discovery
    {
        private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
        private static readonly IReadOnlyDictionary<string, string[]> NoneGiven = new Dictionary<string, string[]>();

        // Reading attributes takes most of the time of a start, and every benchmark of a class asks for those of all methods.
        private static readonly Dictionary<Type, List<MethodInfo>> KnownMethods = new Dictionary<Type, List<MethodInfo>>();
        private static readonly Dictionary<Type, List<MethodInfo>> KnownSteps = new Dictionary<Type, List<MethodInfo>>();
        private static readonly Dictionary<MethodInfo, BenchmarkAttribute> KnownAttributes = new Dictionary<MethodInfo, BenchmarkAttribute>();
        private static readonly Dictionary<MethodInfo, object[]> KnownTargets = new Dictionary<MethodInfo, object[]>();
        private static readonly Dictionary<Assembly, string> References = new Dictionary<Assembly, string>();

        /// <summary>The classes with benchmarks, in the order of their declaration.</summary>
        internal static IReadOnlyList<Type> TypesOf(Assembly assembly)
        {
            Type[] types;
            try
            {
                types = assembly.GetTypes();
            }
            catch (ReflectionTypeLoadException some)
            {
                types = some.Types.Where(t => t != null).ToArray();
            }
            return types.Where(t => !t.IsAbstract || t.IsSealed).Where(t => MethodsOf(t).Any()).OrderBy(t => t.MetadataToken).ToList();
        }

        /// <summary>The benchmarks of classes; open generic ones once for each of their arguments.</summary>
        internal static IReadOnlyList<Benchmark> Of(
            IEnumerable<Type> types, IReadOnlyDictionary<string, string[]> given = null, IReadOnlyList<string> filters = null)
        {
            var closed = types.SelectMany(Closed).ToList();
            var all = closed.SelectMany(t => OfType(t, closed, given ?? NoneGiven)).Where(b => Filters.Want(b, filters)).ToList();
            var known = new HashSet<string>();
            foreach (var one in all.Where(b => b.Invalid == null))
            {
                if (!known.Add(one.Group + "\n" + one.Name + "\n" + string.Join("\n", one.Parameters.Select(p => p.Name + "\t" + p.Text))))
                {
                    one.Invalid = "another benchmark has the same class, name and parameters";
                }
            }
            return all;
        }

        /// <summary>Methods with the attribute, of base classes too, in the order of their declaration.</summary>
        internal static IEnumerable<MethodInfo> MethodsOf(Type type)
        {
            if (!KnownMethods.TryGetValue(type, out var known))
            {
                var all = type.GetMethods(All | BindingFlags.FlattenHierarchy).Where(m => AttributeOf(m) != null);
                known = all.OrderBy(m => AttributeOf(m).Line).ThenBy(m => m.MetadataToken).ToList();
                KnownMethods.Add(type, known);
            }
            return known;
        }

        /// <summary>Its set-ups and clean-ups, in the order of their declaration.</summary>
        private static List<MethodInfo> StepsOf(Type type)
        {
            if (!KnownSteps.TryGetValue(type, out var known))
            {
                known = type.GetMethods(All | BindingFlags.FlattenHierarchy).Where(m => AttributesOf(m).Length > 0).OrderBy(m => m.MetadataToken).ToList();
                KnownSteps.Add(type, known);
            }
            return known;
        }

        /// <summary>What makes a method a set-up or a clean-up.</summary>
        private static object[] AttributesOf(MethodInfo step)
        {
            if (!KnownTargets.TryGetValue(step, out var known))
            {
                known = step.GetCustomAttributes(typeof(StepAttribute), true);
                KnownTargets.Add(step, known);
            }
            return known;
        }

        /// <summary>The group of a class in tables: its name, with its namespace where another class has the same name.</summary>
        internal static string GroupOf(Type type, IReadOnlyList<Type> all)
        {
            var isAlone = all.Count(t => NameOf(t) == NameOf(type)) == 1;
            return (isAlone || type.Namespace == null ? string.Empty : type.Namespace + ".") + NameOf(type);
        }

        /// <summary>As it is written in C#.</summary>
        internal static string NameOf(Type type)
        {
            if (type.IsArray)
            {
                return NameOf(type.GetElementType()) + "[]";
            }
            var name = type.Name.Split('`')[0];
            if (type.IsGenericType)
            {
                var own = type.GetGenericArguments().Skip(type.DeclaringType?.GetGenericArguments().Length ?? 0).ToList();
                name += own.Count == 0 ? string.Empty : "<" + string.Join(", ", own.Select(NameOf)) + ">";
            }
            return name;
        }

        /// <summary>The assembly was built without optimisation.</summary>
        internal static bool IsUnoptimised(Assembly assembly)
        {
            return assembly.GetCustomAttributes(typeof(DebuggableAttribute), false).Cast<DebuggableAttribute>().Any(d => d.IsJITOptimizerDisabled);
        }

        private static BenchmarkAttribute AttributeOf(MethodInfo method)
        {
            if (!KnownAttributes.TryGetValue(method, out var known))
            {
                known = (BenchmarkAttribute)method.GetCustomAttributes(typeof(BenchmarkAttribute), true).FirstOrDefault();
                KnownAttributes.Add(method, known);
            }
            return known;
        }

        private static IEnumerable<Type> Closed(Type type)
        {
            if (!type.ContainsGenericParameters)
            {
                return new[] { type };
            }
            var arguments = type.GetCustomAttributes(typeof(GenericTypeArgumentsAttribute), false).Cast<GenericTypeArgumentsAttribute>().ToList();
            return arguments.Count == 0 ? new[] { type } : arguments.Select(a => Close(type, a.GenericTypeArguments)).ToArray();
        }

        private static Type Close(Type type, Type[] arguments)
        {
            try
            {
                return type.MakeGenericType(arguments);
            }
            catch (ArgumentException)
            {
                // It is listed as open, which is invalid.
                return type;
            }
        }

        private static IEnumerable<Benchmark> OfType(Type type, List<Type> all, IReadOnlyDictionary<string, string[]> given)
        {
            var methods = MethodsOf(type).ToList();
            var byCategory = IsGroupedByCategory(type, methods);
            var wrongStep = WrongStep(type, all);
            var diagnosers = DiagnosersOf(type);
            var wrongJobs = (string)null;
            IReadOnlyList<IReadOnlyList<NamedJob>> ways = null;
            try
            {
                ways = Jobs.Of(type, methods.Any(m => AttributeOf(m).Baseline));
            }
            catch (Exception thrown)
            {
                // It is the constructor of an attribute or of a configuration, which is code of the user.
                wrongJobs = "an attribute of `" + NameOf(type) + "` threw " + Thrown.Text(thrown.GetBaseException());
            }
            foreach (var method in methods)
            {
                var name = NameOf(method, methods, m => Texts.Visible(AttributeOf(m).Description));
                var categories = CategoriesOf(type, method).ToArray();
                var group = GroupOf(type, all);
                IReadOnlyList<MethodInfo> Steps<T>()
                    where T : StepAttribute => StepsOf<T>(type, method);
                Benchmark New() => new Benchmark
                {
                    Type = type,
                    Method = method,
                    Attribute = AttributeOf(method),
                    Group = byCategory ? group + ", " + Texts.Visible(string.Join(", ", GroupOf(type, method))) : group,
                    Name = name,
                    Categories = categories,
                    GlobalSetups = Steps<GlobalSetupAttribute>(),
                    GlobalCleanups = Steps<GlobalCleanupAttribute>(),
                    IterationSetups = Steps<IterationSetupAttribute>(),
                    IterationCleanups = Steps<IterationCleanupAttribute>(),
                    Settings = SettingsOf(type, method),
                    Diagnosers = diagnosers,
                };
                var invalid = Problem(type, method, AttributeOf(method)) ?? wrongStep ?? SecondStep(New()) ?? wrongJobs ?? SecondBaseline(type, method, methods, byCategory);
                List<IReadOnlyList<Parameter>> rows = null;
                try
                {
                    rows = invalid == null ? Parameters.Of(type, method, given).ToList() : null;
                }
                catch (DeclarationException wrong)
                {
                    invalid = wrong.Message;
                }
                catch (Exception thrown) when (!(thrown is OutOfMemoryException))
                {
                    invalid = "its parameters could not be read: " + Thrown.Text(thrown);
                }
                if (rows == null)
                {
                    var broken = New();
                    broken.Invalid = invalid;
                    yield return broken;
                    continue;
                }
                foreach (var row in rows)
                {
                    foreach (var jobs in ways)
                    {
                        var one = New();
                        var id = jobs[0].Name;
                        one.Parameters = ways.Count > 1 ? row.Concat(new[] { new Parameter("Job", id, null, id, true) }).ToList() : row;
                        one.Settings = one.Settings.Concat(jobs[0].Declared.Settings).ToList();
                        one.Jobs = ways.Count > 1 || jobs.Count > 1 || jobs[0].Declared.Runtime != null ? jobs : one.Jobs;
                        yield return one;
                    }
                }
            }
        }

        /// <summary>Its description, or the name of the method; where another method has the same, also what tells both apart.</summary>
        internal static string NameOf(MethodInfo method, List<MethodInfo> methods, Func<MethodInfo, string> description)
        {
            bool IsOverload(MethodInfo other) => other.Name == method.Name;
            var own = methods.Count(IsOverload) > 1 ? method.Name + "(" + string.Join(", ", method.GetParameters().Select(p => NameOf(p.ParameterType))) + ")" : method.Name;
            var title = description(method);
            if (string.IsNullOrWhiteSpace(title))
            {
                return own;
            }
            return methods.Count(other => description(other) == title) > 1 ? title + " (" + own + ")" : title;
        }

        /// <summary>What is wrong with a declaration, and how to fix it; null: nothing.</summary>
        internal static string Problem(Type type, MethodInfo method, BenchmarkAttribute declared)
        {
            var returns = method.ReturnType;
            var lazy = returns.IsGenericType ? returns.GetGenericTypeDefinition() : returns;
            if (type.ContainsGenericParameters)
            {
                return "the class is generic: add `[GenericTypeArguments(typeof(...))]` with types that fit";
            }
            if (method.ContainsGenericParameters)
            {
                return "the method is generic: make the class generic instead";
            }
            if (lazy == typeof(IEnumerable<>) || lazy == typeof(System.Collections.IEnumerable) || lazy == typeof(IQueryable<>) || lazy == typeof(Lazy<>)
                || lazy == typeof(IEnumerator<>) || lazy == typeof(System.Collections.IEnumerator) || lazy == typeof(IOrderedEnumerable<>))
            {
                return "it returns `" + NameOf(returns) + "`, which computes nothing until it is read: return `.ToList()` or consume it";
            }
            if (lazy.FullName == "Microsoft.FSharp.Control.FSharpAsync`1")
            {
                return "it returns `Async`, which computes nothing until it is started: return `Async.StartAsTask`, which is awaited";
            }
            if (declared.OperationsPerInvoke < 1)
            {
                return "`OperationsPerInvoke` is less than 1: an invocation does at least one";
            }
            if (lazy.FullName == "System.Collections.Generic.IAsyncEnumerable`1")
            {
                return "it returns `" + NameOf(returns) + "`, which computes nothing until it is read: read it with `await foreach` in an `async Task`";
            }
            if (Awaiting.Of(returns) == null && Awaiting.IsAwaitable(returns))
            {
                return "it returns `" + NameOf(returns) + "`, but only a `Task` or a `ValueTask` is awaited: await it in an `async Task`";
            }
            if (Runtime.Unfit != null)
            {
                return Runtime.Unfit;
            }
            if (!method.IsStatic && type.IsValueType)
            {
                return "benchmarks are methods of classes: make `" + type.Name + "` a class";
            }
            if (!method.IsStatic && type.GetConstructor(All & ~BindingFlags.Static, null, Type.EmptyTypes, null) == null)
            {
                return "`" + type.Name + "` needs a constructor without parameters";
            }
            if (IsUnoptimised(type.Assembly))
            {
                return "`" + type.Assembly.GetName().Name + "` was built without optimisation: build it with `-c Release`";
            }
            var reference = Given.AllowsUnoptimisedReferences ? null : UnoptimisedReference(type.Assembly);
            return reference == null ? null : "`" + reference + "`, which it uses, was built without optimisation: build it with `-c Release`";
        }

        /// <summary>An assembly beside the program that its code refers to and that is not optimised; null: there is none.</summary>
        private static string UnoptimisedReference(Assembly assembly)
        {
            if (!References.TryGetValue(assembly, out var found))
            {
                var folder = AppContext.BaseDirectory;
                var beside = assembly.GetReferencedAssemblies().Where(name => System.IO.File.Exists(System.IO.Path.Combine(folder, name.Name + ".dll")));
                found = beside.Select(Loaded).FirstOrDefault(other => other != null && IsUnoptimised(other))?.GetName().Name;
                References[assembly] = found;
            }
            return found;
        }

        private static Assembly Loaded(AssemblyName name)
        {
            try
            {
                return Assembly.Load(name);
            }
            catch (Exception e) when (e is System.IO.IOException || e is BadImageFormatException)
            {
                // The benchmark that needs it says so when it runs.
                return null;
            }
        }

        /// <summary>A set-up or clean-up for what is no benchmark; null: there is none. One of a base class may be for benchmarks of any class derived from it.</summary>
        private static string WrongStep(Type type, List<Type> all)
        {
            foreach (var step in StepsOf(type))
            {
                var targets = AttributesOf(step).Cast<StepAttribute>().SelectMany(s => s.Targets).ToList();
                if (targets.Count > 0)
                {
                    var known = all.Where(step.DeclaringType.IsAssignableFrom).SelectMany(MethodsOf).Select(m => m.Name).ToList();
                    var wrong = targets.FirstOrDefault(t => !known.Contains(t));
                    if (wrong != null)
                    {
                        return "`" + NameOf(step.DeclaringType) + "." + step.Name + "` is for `" + wrong + "`, which is not a benchmark of `" + NameOf(type) + "`";
                    }
                }
            }
            return null;
        }

        /// <summary>That a class has two set-ups or clean-ups of one kind for the same benchmark: which is meant cannot be told; null: it has not.</summary>
        private static string SecondStep(Benchmark benchmark)
        {
            var kinds = new[] { benchmark.GlobalSetups, benchmark.GlobalCleanups, benchmark.IterationSetups, benchmark.IterationCleanups };
            var second = kinds.SelectMany(steps => steps.GroupBy(step => step.DeclaringType)).FirstOrDefault(steps => steps.Count() > 1)?.ToList();
            return second == null ? null
                : "`" + second[0].Name + "` and `" + second[1].Name + "` are both for `" + benchmark.Method.Name + "`: join them, or name other benchmarks with `Target`";
        }

        /// <summary>That an earlier method of the group is the baseline already; null: none is.</summary>
        private static string SecondBaseline(Type type, MethodInfo method, List<MethodInfo> methods, bool byCategory)
        {
            bool IsSameGroup(MethodInfo m) => !byCategory || GroupOf(type, m).SequenceEqual(GroupOf(type, method));
            var first = methods.First(m => m == method || (AttributeOf(m).Baseline && IsSameGroup(m)));
            return first == method || !AttributeOf(method).Baseline ? null : "`" + first.Name + "` is also a baseline: a class, or each of its categories, has only one";
        }

        private static IReadOnlyList<MethodInfo> StepsOf<T>(Type type, MethodInfo benchmark)
            where T : StepAttribute
        {
            string[] TargetsOf(MethodInfo m) => AttributesOf(m).OfType<T>().FirstOrDefault()?.Targets;
            var all = StepsOf(type).Where(m => TargetsOf(m) != null).ToList();
            // A general one is for those benchmarks that none is for by name.
            var own = all.Where(m => TargetsOf(m).Contains(benchmark.Name)).ToList();
            var steps = own.Count > 0 ? own : all.Where(m => TargetsOf(m).Length == 0);
            // Those of a base class come first, as its constructor does.
            return steps.OrderBy(m => Depth(m.DeclaringType)).ThenBy(m => m.MetadataToken).ToList();
        }

        private static int Depth(Type type)
        {
            return type.BaseType == null ? 0 : 1 + Depth(type.BaseType);
        }

        private static IEnumerable<string> CategoriesOf(Type type, MethodInfo method)
        {
            var places = new[] { type.Assembly.GetCustomAttributes(typeof(BenchmarkCategoryAttribute), true), type.GetCustomAttributes(typeof(BenchmarkCategoryAttribute), true), method.GetCustomAttributes(typeof(BenchmarkCategoryAttribute), true) };
            return places.SelectMany(p => p).Cast<BenchmarkCategoryAttribute>().SelectMany(c => c.Categories).Distinct();
        }

        /// <summary>The categories that tell the groups of a class apart.</summary>
        private static IEnumerable<string> GroupOf(Type type, MethodInfo method)
        {
            var own = method.GetCustomAttributes(typeof(BenchmarkCategoryAttribute), true).Cast<BenchmarkCategoryAttribute>().SelectMany(c => c.Categories).ToList();
            return own.Count > 0 ? own : CategoriesOf(type, method);
        }

        private static IReadOnlyList<SettingAttribute> SettingsOf(Type type, MethodInfo method)
        {
            var places = new[] { type.Assembly.GetCustomAttributes(typeof(SettingAttribute), true), type.GetCustomAttributes(typeof(SettingAttribute), true), method.GetCustomAttributes(typeof(SettingAttribute), true) };
            return places.SelectMany(p => p).Cast<SettingAttribute>().ToList();
        }

        /// <summary>The names of the diagnosers that a class or its assembly asks for.</summary>
        private static IReadOnlyList<string> DiagnosersOf(Type type)
        {
            var places = new[] { type.Assembly.GetCustomAttributes(typeof(DiagnoserAttribute), true), type.GetCustomAttributes(typeof(DiagnoserAttribute), true) };
            return places.SelectMany(p => p).Cast<DiagnoserAttribute>().Select(d => d.Name).Where(name => name != null).Distinct().ToList();
        }

        /// <summary>The class says so, or it has baselines in several categories.</summary>
        private static bool IsGroupedByCategory(Type type, List<MethodInfo> methods)
        {
            var baselines = methods.Where(m => AttributeOf(m).Baseline).ToList();
            return type.GetCustomAttributes(typeof(GroupByCategoryAttribute), true).Cast<GroupByCategoryAttribute>().Any(g => g.IsMeant)
                || (baselines.Count > 1 && baselines.Select(m => string.Join("\n", GroupOf(type, m))).Distinct().Count() > 1);
        }
    }
}
