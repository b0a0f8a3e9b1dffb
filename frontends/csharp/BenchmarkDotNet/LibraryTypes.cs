// The classes with benchmarks of an assembly, as the library finds them.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.ExceptionServices;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;

namespace Tare.BenchmarkDotNet;

/// <summary>What the library finds in an assembly. Before version 0.13.2 its filter of types is internal, so it is called by name.</summary>
internal static class LibraryTypes
{
    private const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static;
    private static readonly Type TypeFilter = typeof(BenchmarkCase).Assembly.GetType("BenchmarkDotNet.Running.TypeFilter", true)!;

    internal static IReadOnlyList<Type> WithBenchmarks(Assembly assembly)
    {
        var found = Call("GetTypesWithRunnableBenchmarks", Type.EmptyTypes, new[] { assembly }, NullLogger.Instance);
        return (((bool, IReadOnlyList<Type>))found).Item2;
    }

    internal static IEnumerable<BenchmarkRunInfo> Cases(Type type) =>
        (IEnumerable<BenchmarkRunInfo>)Call("Filter", DefaultConfig.Instance, new[] { type });

    internal static IEnumerable<MethodInfo> MethodsOf(Type type)
    {
        var all = type.GetMethods(Any | BindingFlags.Instance | BindingFlags.FlattenHierarchy);
        return all.Where(m => m.GetCustomAttribute<global::BenchmarkDotNet.Attributes.BenchmarkAttribute>() != null).OrderBy(m => m.MetadataToken);
    }

    private static object Call(string name, params object[] arguments)
    {
        var method = TypeFilter.GetMethods(Any).FirstOrDefault(m => m.Name == name && m.GetParameters().Length == arguments.Length)
            ?? throw new MissingMethodException(TypeFilter.FullName, name);
        try
        {
            return method.Invoke(null, arguments)!;
        }
        catch (TargetInvocationException thrown)
        {
            // Its own stack says whether the library was reading.
            ExceptionDispatchInfo.Capture(thrown.InnerException!).Throw();
            throw;
        }
    }
}
