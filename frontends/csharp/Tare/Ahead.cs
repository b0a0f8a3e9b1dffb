// Native AOT: a program that cannot generate code while it runs. The same benchmarks, run by the ordinary runtime, write an assembly with
// their list and their loops; both are compiled ahead of time together.

using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Threading;

// Newer frameworks have these attributes.
#pragma warning disable 436

namespace Tare;

internal static class Ahead
{
    /// <summary>The path of the assembly to write, then names of parameters with their values: records and units, as ASCII separates them.</summary>
    private const string Variable = "BENCHMARK_AHEAD";
    private const string Assembly = "Tare.Ahead", Class = "Tare.Ahead.All", Method = "Take";

    /// <summary>Constructors, methods, fields and properties, public and not; no nested classes, which may be configurations.</summary>
    private const int Members = 0x67F;

    /// <summary>Beside the assembly: what it was made of; and whether bodies call the library that declares them, as `Tare.targets` asks.</summary>
    private const string State = ".of", IsCalled = ".calls-library";

    /// <summary>Places in which there is a copy of each loop: the program lies where it lies.</summary>
    private const int Shifts = 4;

    // What the generated method gives.
    private static readonly List<string> Lines = [];
    private static readonly List<Func<LoopCode>> Loops = [];
    private static readonly List<Type> Classes = [];
    private static readonly List<int> LoopOf = [];
    private static readonly Dictionary<string, Type> Types = [];

    /// <summary>What the texts of benchmarks name.</summary>
    private static readonly Dictionary<string, Type> Named = [];

    /// <summary>This process is asked for the assembly.</summary>
    internal static bool IsWanted { get; } = Environment.GetEnvironmentVariable(Variable) != null;

    /// <summary>This process is compiled ahead of time, with the assembly.</summary>
    internal static bool IsHere { get; private set; }

    /// <summary>Answers the host, where the program was compiled with the assembly; never returns then.</summary>
    internal static void Serve()
    {
        // Both are constants: so the compiler of native code keeps the method.
        var take = Type.GetType($"{Class}, {Assembly}")?.GetMethod(Method);
        if (take == null)
        {
            return;
        }
        IsHere = true;
        take.Invoke(null, null);
        if (!Link.IsThere)
        {
            Console.Error.WriteLine("error: this program was built by `tare` to be measured, and does nothing else");
            Native.Exit(2);
        }
        Link.Serve(Case.OfProcess() ?? new WrittenCatalog(Classes.Distinct().ToList(), Lines));
    }

    /// <summary>The loops of a benchmark; null: they are not here.</summary>
    internal static Func<Random?, LoopCode>? CodeOf(int index) =>
        !IsHere ? null : random => Loops[(LoopOf[index] * Shifts) + (random?.Next(Shifts) ?? 0)]();

    /// <summary>A type by its name; null: none has it.</summary>
    internal static Type? TypeOf(string name) => Types.TryGetValue(name, out var type) ? type : null;

    /// <summary>Notes that a text names the type.</summary>
    internal static string Name(string name, Type type)
    {
        if (IsWanted)
        {
            Named[name] = type;
        }
        return name;
    }

    /// <summary>Writes the assembly, and ends the process.</summary>
    internal static void Write(ICatalog catalog)
    {
        try
        {
            var words = Environment.GetEnvironmentVariable(Variable)!.Split('\u001e');
            foreach (var values in words.Skip(1).Select(record => record.Split('\u001f')))
            {
                catalog.Set(values[0], values.Skip(1).ToArray());
            }
            Save(words[0], catalog);
        }
        catch (Exception wrong)
        {
            Console.Error.WriteLine($"error: {Thrown.Text(wrong)}");
            Native.Exit(2);
        }
        Native.Exit(0);
    }

    private static void Save(string path, ICatalog catalog)
    {
        var benchmarks = Enumerable.Range(0, int.MaxValue).Select(i => catalog.At((ulong)i)).TakeWhile(one => one != null).OfType<Benchmark>().ToList();
        var lines = new List<string>();
        Listing.Send(benchmarks, line => lines.Add(line.ToString()));
        // Each assembly has another identity, and would be compiled again.
        var modules = benchmarks.SelectMany(b => new[] { b.Type.Module, b.Method.Module }).Append(typeof(Ahead).Module);
        var state = string.Join("\n", lines.Concat(modules.Select(module => module.ModuleVersionId.ToString()).Distinct()));
        if (File.Exists(path) && File.Exists(path + State) && File.ReadAllText(path + State) == state)
        {
            return;
        }
        var builder = Type.GetType("System.Reflection.Emit.PersistedAssemblyBuilder, System.Reflection.Emit")
            ?? throw new NotSupportedException($"native AOT needs the runtime of .NET 9 or later beside it, and this is {Runtime.Name}");
        var assembly = Activator.CreateInstance(builder, new AssemblyName(Assembly), typeof(object).Assembly, null)!;
        Suppress(assembly);
        var module = IL.Invoke(assembly, "DefineDynamicModule", [typeof(string)], Assembly);
        var all = IL.Invoke(module, "DefineType", [typeof(string), typeof(TypeAttributes)], Class, TypeAttributes.Public | TypeAttributes.Class);
        var il = new IL(IL.Method(all, Method, MethodAttributes.Public | MethodAttributes.Static, typeof(void), Type.EmptyTypes));
        void Call(string name) => il.Call(typeof(Ahead).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!);

        List<Type> types = [typeof(GC), typeof(Monitor), typeof(ThreadPool)];
        var loops = new Dictionary<string, int>();
        for (var i = 0; i < benchmarks.Count; i++)
        {
            var benchmark = benchmarks[i];
            // A value that lives on the stack alone is made of what it was declared as.
            var key = benchmark.Method.DeclaringType + "\n" + benchmark.Method + "\n" + string.Join("\n", benchmark.Arguments.Select(a => a?.GetType()));
            if (benchmark.Invalid == null && !loops.ContainsKey(key))
            {
                loops.Add(key, loops.Count);
                for (var shift = 0; shift < Shifts; shift++)
                {
                    il.Op(OpCodes.Ldnull);
                    il.Op(OpCodes.Ldftn, LoopMaker.InType(module, all, $"L{loops[key]}_{shift}", benchmark.Method, benchmark.Arguments, shift == 0 ? null : new Random(shift)));
                    il.New(typeof(Func<LoopCode>).GetConstructors()[0]);
                    Call(nameof(AddLoop));
                }
            }
            il.Op(OpCodes.Ldc_I4, benchmark.Invalid == null ? loops[key] : -1);
            Of(benchmark.Type);
            Call(nameof(AddBenchmark));
            types.AddRange(TypesOf(benchmark));
        }
        foreach (var line in lines)
        {
            il.Op(OpCodes.Ldstr, line);
            Call(nameof(AddLine));
        }
        foreach (var named in types.Distinct().Where(IsKept).ToDictionary(Case.NameOf).Concat(Named).GroupBy(pair => pair.Key).Select(same => same.First()).ToList())
        {
            il.Op(OpCodes.Ldstr, named.Key);
            Of(named.Value);
            Call(nameof(AddType));
        }
        il.Op(OpCodes.Ret);
        IL.Made(all);
        IL.Invoke(assembly, "Save", [typeof(string)], path);
        File.Delete(path + IsCalled);
        if (benchmarks.Select(b => b.Type.Module).Distinct().SelectMany(TypesUsedBy).Any(IsForBodies))
        {
            File.WriteAllText(path + IsCalled, "");
        }
        File.WriteAllText(path + State, state);

        void Of(Type type)
        {
            il.Op(OpCodes.Ldtoken, type);
            il.Call(typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle))!);
        }
    }

    /// <summary>What is said of this assembly in vain is said of the other one too.</summary>
    private static void Suppress(object assembly)
    {
        var builder = IL.TypeOf("CustomAttributeBuilder");
        foreach (var attribute in typeof(Ahead).Assembly.GetCustomAttributesData().Where(a => a.AttributeType == typeof(UnconditionalSuppressMessageAttribute)))
        {
            var arguments = attribute.ConstructorArguments.Select(argument => argument.Value).ToArray();
            var scope = new[] { attribute.AttributeType.GetProperty("Scope")! };
            IL.Invoke(assembly, "SetCustomAttribute", new[] { builder }, Activator.CreateInstance(builder, attribute.Constructor, arguments, scope, new object[] { "module" })!);
        }
    }

    /// <summary>The types of other assemblies that code or declarations of this one name.</summary>
    private static IEnumerable<Type> TypesUsedBy(Module module)
    {
        const int First = 0x01000001;
        for (var token = First; ; token++)
        {
            Type? type = null;
            try
            {
                type = module.ResolveType(token);
            }
            catch (ArgumentException)
            {
                yield break;
            }
            catch (Exception e) when (e is TypeLoadException or IOException)
            {
            }
            if (type != null)
            {
                yield return type;
            }
        }
    }

    /// <summary>All else of the library is for declarations and configurations, and there are ten megabytes of it.</summary>
    private static bool IsForBodies(Type type) =>
        !type.IsEnum && (type.Namespace == "BenchmarkDotNet.Engines" || type.Namespace == "BenchmarkDotNet.Code");

    /// <summary>What the front end looks into while it measures.</summary>
    private static IEnumerable<Type> TypesOf(Benchmark benchmark)
    {
        var results = benchmark.Steps.SelectMany(steps => steps).Append(benchmark.Method).Select(m => m.ReturnType.IsByRef ? m.ReturnType.GetElementType()! : m.ReturnType);
        var sources = benchmark.Parameters.Where(p => ValueText.IsPlace(p.Code)).SelectMany(p => ValueText.TypesOfSource(p.Member ?? benchmark.Method));
        return results.SelectMany(WithArguments).Concat(sources).Concat(BasesOf(benchmark.Type));
    }

    private static IEnumerable<Type> WithArguments(Type type) =>
        new[] { type }.Concat((type.HasElementType ? [type.GetElementType()!] : type.GetGenericArguments()).SelectMany(WithArguments));

    private static IEnumerable<Type> BasesOf(Type type) =>
        type.BaseType == null ? Type.EmptyTypes : new[] { type.BaseType }.Concat(BasesOf(type.BaseType));

    private static bool IsKept(Type type) => !type.ContainsGenericParameters && !type.IsPointer && type != typeof(void);

    private static void AddLoop(Func<LoopCode> loop) => Loops.Add(loop);

    private static void AddLine(string line) => Lines.Add(line);

    private static void AddBenchmark(int loop, [DynamicallyAccessedMembers(Members)] Type type)
    {
        LoopOf.Add(loop);
        Classes.Add(type);
    }

    private static void AddType(string name, [DynamicallyAccessedMembers(Members)] Type type) => Types[name] = type;
}
