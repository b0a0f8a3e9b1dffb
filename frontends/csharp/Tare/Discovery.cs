// What benchmarks an assembly has.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;

namespace Tare;

internal static class Discovery
{
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

    private static readonly Type[] Lazily =
        [typeof(IEnumerable<>), typeof(IEnumerable), typeof(IQueryable<>), typeof(Lazy<>), typeof(IEnumerator<>), typeof(IEnumerator), typeof(IOrderedEnumerable<>)];

    private static readonly Dictionary<Type, List<MethodInfo>> Methods = [], Steps = [];
    private static readonly Dictionary<MethodInfo, BenchmarkAttribute?> Declarations = [];
    private static readonly Dictionary<MethodInfo, List<StepAttribute>> StepAttributes = [];
    private static readonly Dictionary<Assembly, string?> Unoptimised = [];

    /// <summary>Assemblies that the benchmarks use may be built without optimisation.</summary>
    internal static bool AllowsUnoptimisedReferences { get; set; }

    /// <summary>The classes with benchmarks, in the order of their declaration.</summary>
    internal static List<Type> TypesOf(Assembly assembly)
    {
        Type?[] types;
        try
        {
            types = assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException some)
        {
            types = some.Types;
        }
        return types.OfType<Type>().Where(t => !t.IsAbstract || t.IsSealed).Where(t => MethodsOf(t).Count > 0).OrderBy(t => t.MetadataToken).ToList();
    }

    /// <summary>The benchmarks of classes; open generic ones once for each of their arguments.</summary>
    internal static List<Benchmark> Of(IEnumerable<Type> types, Dictionary<string, string[]>? given = null, IReadOnlyList<string>? filters = null)
    {
        var closed = types.SelectMany(Closed).ToList();
        var all = closed.SelectMany(t => OfType(t, closed, given ?? [])).Where(b => Filters.Want(b, filters)).ToList();
        var known = new HashSet<string>();
        foreach (var one in all.Where(b => b.Invalid == null))
        {
            if (!known.Add(one.Key))
            {
                one.Invalid = "another benchmark has the same class, name and parameters";
            }
        }
        return all;
    }

    /// <summary>Methods with the attribute, of base classes too, in the order of their declaration.</summary>
    internal static List<MethodInfo> MethodsOf(Type type) => Methods.OrMake(type, _ =>
        type.GetMethods(All | BindingFlags.FlattenHierarchy).Where(m => AttributeOf(m) != null).OrderBy(m => AttributeOf(m)!.Line).ThenBy(m => m.MetadataToken).ToList());

    /// <summary>Its set-ups and clean-ups, in the order of their declaration.</summary>
    private static List<MethodInfo> StepsOf(Type type) => Steps.OrMake(type, _ =>
        type.GetMethods(All | BindingFlags.FlattenHierarchy).Where(m => AttributesOf(m).Count > 0).OrderBy(m => m.MetadataToken).ToList());

    /// <summary>What makes a method a set-up or a clean-up.</summary>
    private static List<StepAttribute> AttributesOf(MethodInfo step) => StepAttributes.OrMake(step, _ => Attributes<StepAttribute>(step).ToList());

    private static BenchmarkAttribute? AttributeOf(MethodInfo method) => Declarations.OrMake(method, _ => Attributes<BenchmarkAttribute>(method).FirstOrDefault());

    /// <summary>The attributes of these places, in their order, also of derived classes.</summary>
    internal static IEnumerable<T> Attributes<T>(params ICustomAttributeProvider[] places)
        where T : Attribute => places.SelectMany(place => place.GetCustomAttributes(typeof(T), true)).Cast<T>();

    /// <summary>The value of a key, made once: reading attributes takes most of the time of a start, and each benchmark of a class asks for those of all methods.</summary>
    internal static TValue OrMake<TKey, TValue>(this Dictionary<TKey, TValue> known, TKey key, Func<TKey, TValue> make)
        where TKey : notnull
    {
        if (!known.TryGetValue(key, out var value))
        {
            known.Add(key, value = make(key));
        }
        return value;
    }

    /// <summary>The group of a class in tables: its name, with its namespace where another class has the same name.</summary>
    internal static string GroupOf(Type type, IReadOnlyList<Type> all)
    {
        var isAlone = all.Count(t => NameOf(t) == NameOf(type)) == 1;
        return (isAlone || type.Namespace == null ? "" : $"{type.Namespace}.") + NameOf(type);
    }

    /// <summary>As it is written in C#.</summary>
    internal static string NameOf(Type type)
    {
        if (type.IsArray)
        {
            return $"{NameOf(type.GetElementType()!)}[]";
        }
        var name = type.Name.Split('`')[0];
        var own = type.GetGenericArguments().Skip(type.DeclaringType?.GetGenericArguments().Length ?? 0).ToList();
        return own.Count == 0 ? name : $"{name}<{string.Join(", ", own.Select(NameOf))}>";
    }

    /// <summary>The assembly was built without optimisation.</summary>
    internal static bool IsUnoptimised(Assembly assembly) => Attributes<DebuggableAttribute>(assembly).Any(d => d.IsJITOptimizerDisabled);

    private static IEnumerable<Type> Closed(Type type)
    {
        var arguments = type.GetCustomAttributes(typeof(GenericTypeArgumentsAttribute), false).Cast<GenericTypeArgumentsAttribute>().ToList();
        return arguments.Count == 0 || !type.ContainsGenericParameters ? [type] : arguments.Select(a => Close(type, a.GenericTypeArguments));
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

    private static IEnumerable<Benchmark> OfType(Type type, List<Type> all, Dictionary<string, string[]> given)
    {
        var methods = MethodsOf(type);
        var byCategory = IsGroupedByCategory(type, methods);
        var group = GroupOf(type, all);
        var wrongStep = WrongStep(type, all);
        var diagnosers = Attributes<DiagnoserAttribute>(type.Assembly, type).Select(d => d.Name).Where(name => name != null).Distinct().ToList();
        string? wrongJobs = null;
        List<List<NamedJob>> ways = [];
        try
        {
            ways = Jobs.Of(type, methods.Any(m => AttributeOf(m)!.Baseline));
        }
        catch (Exception thrown)
        {
            // It is the constructor of an attribute, which is code of the user.
            wrongJobs = $"an attribute of `{NameOf(type)}` threw {Thrown.Text(thrown.GetBaseException())}";
        }
        foreach (var method in methods)
        {
            Benchmark New() => new()
            {
                Type = type,
                Method = method,
                Attribute = AttributeOf(method)!,
                Group = byCategory ? $"{group}, {Texts.Visible(string.Join(", ", GroupOf(type, method)))}" : group,
                Name = NameOf(method, methods, m => AttributeOf(m)!.Description),
                Categories = CategoriesOf(type.Assembly, type, method),
                Steps =
                [
                    StepsOf<GlobalSetupAttribute>(type, method), StepsOf<GlobalCleanupAttribute>(type, method),
                    StepsOf<IterationSetupAttribute>(type, method), StepsOf<IterationCleanupAttribute>(type, method),
                ],
                Settings = Attributes<SettingAttribute>(type.Assembly, type, method).ToList(),
                Diagnosers = diagnosers,
            };
            var invalid = Problem(type, method, AttributeOf(method)!) ?? wrongStep ?? SecondStep(New()) ?? wrongJobs ?? SecondBaseline(type, method, methods, byCategory);
            List<List<Parameter>> rows = [];
            try
            {
                rows = invalid == null ? Parameters.Of(type, method, given) : [];
            }
            catch (DeclarationException wrong)
            {
                invalid = wrong.Message;
            }
            catch (Exception thrown) when (thrown is not OutOfMemoryException)
            {
                invalid = $"its parameters could not be read: {Thrown.Text(thrown)}";
            }
            if (invalid != null)
            {
                var broken = New();
                broken.Invalid = invalid;
                yield return broken;
            }
            foreach (var row in rows)
            {
                foreach (var jobs in ways)
                {
                    var one = New();
                    var id = jobs[0].Name;
                    one.Parameters = ways.Count > 1 ? [.. row, new Parameter("Job", id, null, id, true)] : row;
                    one.Settings = [.. one.Settings, .. jobs[0].Declared.Settings];
                    one.Jobs = ways.Count > 1 || jobs.Count > 1 || jobs[0].Declared.Runtime != null ? jobs : one.Jobs;
                    yield return one;
                }
            }
        }
    }

    /// <summary>Its description, or the name of the method; where another method has the same, also what tells both apart.</summary>
    internal static string NameOf(MethodInfo method, List<MethodInfo> methods, Func<MethodInfo, string?> description)
    {
        var isOverloaded = methods.Count(other => other.Name == method.Name) > 1;
        var own = isOverloaded ? $"{method.Name}({string.Join(", ", method.GetParameters().Select(p => NameOf(p.ParameterType)))})" : method.Name;
        string Title(MethodInfo of) => Texts.Visible(description(of) ?? "");
        var title = Title(method);
        return string.IsNullOrWhiteSpace(title) ? own : methods.Count(other => Title(other) == title) > 1 ? $"{title} ({own})" : title;
    }

    /// <summary>What is wrong with a declaration, and how to fix it; null: nothing.</summary>
    internal static string? Problem(Type type, MethodInfo method, BenchmarkAttribute declared)
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
        if (Lazily.Contains(lazy))
        {
            return $"it returns `{NameOf(returns)}`, which computes nothing until it is read: return `.ToList()` or consume it";
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
            return $"it returns `{NameOf(returns)}`, which computes nothing until it is read: read it with `await foreach` in an `async Task`";
        }
        if (Awaiting.Of(returns) == null && Awaiting.IsAwaitable(returns))
        {
            return $"it returns `{NameOf(returns)}`, but only a `Task` or a `ValueTask` is awaited: await it in an `async Task`";
        }
        if (Runtime.Unfit is { } unfit)
        {
            return unfit;
        }
        if (!method.IsStatic && type.IsValueType)
        {
            return $"benchmarks are methods of classes: make `{type.Name}` a class";
        }
        if (!method.IsStatic && type.GetConstructor(All & ~BindingFlags.Static, null, Type.EmptyTypes, null) == null)
        {
            return $"`{type.Name}` needs a constructor without parameters";
        }
        if (IsUnoptimised(type.Assembly))
        {
            return $"`{type.Assembly.GetName().Name}` was built without optimisation: build it with `-c Release`";
        }
        var reference = AllowsUnoptimisedReferences ? null : Unoptimised.OrMake(type.Assembly, UnoptimisedReference);
        return reference == null ? null : $"`{reference}`, which it uses, was built without optimisation: build it with `-c Release`";
    }

    /// <summary>An assembly beside the program that its code refers to and that is not optimised; null: there is none.</summary>
    private static string? UnoptimisedReference(Assembly assembly)
    {
        var beside = assembly.GetReferencedAssemblies().Where(name => File.Exists(Path.Combine(AppContext.BaseDirectory, $"{name.Name}.dll")));
        return beside.Select(Loaded).FirstOrDefault(other => other != null && IsUnoptimised(other))?.GetName().Name;
    }

    private static Assembly? Loaded(AssemblyName name)
    {
        try
        {
            return Assembly.Load(name);
        }
        catch (Exception e) when (e is IOException or BadImageFormatException)
        {
            // The benchmark that needs it says so when it runs.
            return null;
        }
    }

    /// <summary>A set-up or clean-up for what is no benchmark; null: there is none. One of a base class may be for benchmarks of any class derived from it.</summary>
    private static string? WrongStep(Type type, List<Type> all)
    {
        foreach (var step in StepsOf(type))
        {
            var known = all.Where(step.DeclaringType!.IsAssignableFrom).SelectMany(MethodsOf).Select(m => m.Name);
            var wrong = AttributesOf(step).SelectMany(s => s.Targets).Except(known).FirstOrDefault();
            if (wrong != null)
            {
                return $"`{NameOf(step.DeclaringType)}.{step.Name}` is for `{wrong}`, which is not a benchmark of `{NameOf(type)}`";
            }
        }
        return null;
    }

    /// <summary>That a class has two set-ups or clean-ups of one kind for the same benchmark: which is meant cannot be told; null: it has not.</summary>
    private static string? SecondStep(Benchmark benchmark)
    {
        var second = benchmark.Steps.SelectMany(steps => steps.GroupBy(step => step.DeclaringType)).FirstOrDefault(steps => steps.Count() > 1)?.ToList();
        return second == null ? null
            : $"`{second[0].Name}` and `{second[1].Name}` are both for `{benchmark.Method.Name}`: join them, or name other benchmarks with `Target`";
    }

    /// <summary>That an earlier method of the group is the baseline already; null: none is.</summary>
    private static string? SecondBaseline(Type type, MethodInfo method, List<MethodInfo> methods, bool byCategory)
    {
        bool IsSameGroup(MethodInfo m) => !byCategory || GroupOf(type, m).SequenceEqual(GroupOf(type, method));
        var first = methods.First(m => m == method || (AttributeOf(m)!.Baseline && IsSameGroup(m)));
        return first == method || !AttributeOf(method)!.Baseline ? null : $"`{first.Name}` is also a baseline: a class, or each of its categories, has only one";
    }

    private static List<MethodInfo> StepsOf<T>(Type type, MethodInfo benchmark)
        where T : StepAttribute
    {
        string[]? TargetsOf(MethodInfo step) => AttributesOf(step).OfType<T>().FirstOrDefault()?.Targets;
        var all = StepsOf(type);
        // A general one is for those benchmarks that none is for by name.
        var own = all.Where(step => TargetsOf(step)?.Contains(benchmark.Name) == true).ToList();
        var steps = own.Count > 0 ? own : all.Where(step => TargetsOf(step)?.Length == 0);
        // Those of a base class come first, as its constructor does.
        return steps.OrderBy(step => Depth(step.DeclaringType!)).ThenBy(step => step.MetadataToken).ToList();
    }

    private static int Depth(Type type) => type.BaseType == null ? 0 : 1 + Depth(type.BaseType);

    private static string[] CategoriesOf(params ICustomAttributeProvider[] places) =>
        Attributes<BenchmarkCategoryAttribute>(places).SelectMany(c => c.Categories).Distinct().ToArray();

    /// <summary>The categories that tell the groups of a class apart.</summary>
    private static string[] GroupOf(Type type, MethodInfo method) => CategoriesOf(method) is { Length: > 0 } own ? own : CategoriesOf(type.Assembly, type);

    /// <summary>The class says so, or it has baselines in several categories.</summary>
    private static bool IsGroupedByCategory(Type type, List<MethodInfo> methods) => Attributes<GroupByCategoryAttribute>(type).Any()
        || methods.Where(m => AttributeOf(m)!.Baseline).Select(m => string.Join("\n", GroupOf(type, m))).Distinct().Count() > 1;
}
