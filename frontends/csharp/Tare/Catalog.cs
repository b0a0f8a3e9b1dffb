// What benchmarks a process has, as it answers the host.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;

[assembly: InternalsVisibleTo("Tare.BenchmarkDotNet")]

namespace Tare;

/// <summary>The benchmarks that a process lists and opens.</summary>
internal interface ICatalog
{
    /// <summary>The classes of the benchmarks.</summary>
    IReadOnlyList<Type> Types { get; }

    /// <summary>Replies with a line for each, in the order of their indices, and with the end of the list.</summary>
    void List(Action<Json> reply);

    /// <summary>The benchmark with this key; without one, with this index. Null: there is none.</summary>
    Benchmark? At(ulong index, string? key = null);

    /// <summary>Takes these values of a parameter in place of the declared ones. Gives how many declared benchmarks have the parameter.</summary>
    int Set(string name, string[] values);
}

internal static class Listing
{
    internal static Benchmark? Find(IReadOnlyList<Benchmark> benchmarks, ulong index, string? key)
    {
        var at = benchmarks.ElementAtOrDefault((int)index);
        return key == null || at?.Key == key ? at : benchmarks.FirstOrDefault(b => b.Key == key);
    }

    /// <summary>The list of these benchmarks, with all notes.</summary>
    internal static void Send(IReadOnlyList<Benchmark> benchmarks, Action<Json> reply)
    {
        for (var i = 0; i < benchmarks.Count; i++)
        {
            reply(benchmarks[i].Line(i));
        }
        Notes.OfSettings(benchmarks);
        reply(new Json("end").Add("count", benchmarks.Count).Add("notes", Notes.All.ToArray()));
    }
}

/// <summary>What attributes of Tare declare.</summary>
internal sealed class DeclaredCatalog(IReadOnlyList<Type> types, IReadOnlyList<string>? filters) : ICatalog
{
    private readonly Dictionary<string, string[]> given = [];
    private List<Benchmark>? benchmarks;

    public IReadOnlyList<Type> Types => types;

    private List<Benchmark> Benchmarks => benchmarks ??= Discovery.Of(types, given, filters);

    public void List(Action<Json> reply) => Listing.Send(Benchmarks, reply);

    public Benchmark? At(ulong index, string? key) => Listing.Find(Benchmarks, index, key);

    public int Set(string name, string[] values)
    {
        var declared = Discovery.Of(types, null, filters).Where(b => b.Invalid == null).Select(b => (b.Type, b.Method)).Distinct();
        var having = declared.Count(d => Parameters.Accepts(d.Type, d.Method, name, values));
        if (having > 0)
        {
            given[name] = values;
            benchmarks = null;
        }
        return having;
    }
}

/// <summary>Benchmarks that another library has read: an adapter lists them, and the processes that measure get one of them by its text (<see cref="Case"/>).</summary>
internal sealed class ReadCatalog(IReadOnlyList<Benchmark> read) : ICatalog
{
    private List<Benchmark> benchmarks = [.. read];

    public IReadOnlyList<Type> Types { get; } = read.Select(b => b.Type).Distinct().ToList();

    public void List(Action<Json> reply) => Listing.Send(benchmarks, reply);

    public Benchmark? At(ulong index, string? key) => Listing.Find(benchmarks, index, key);

    public int Set(string name, string[] values)
    {
        var having = benchmarks.Where(b => b.Invalid == null && b.Parameters.Any(p => p.Name == name && !p.IsJob)).Select(b => (b.Type, b.Method)).Distinct().Count();
        benchmarks = benchmarks.GroupBy(b => Key(b, name)).SelectMany(same => Parameters.Replaced(same.ToList(), name, values)).ToList();
        return having;
    }

    /// <summary>What benchmarks have in common that differ in this parameter alone.</summary>
    private static string Key(Benchmark benchmark, string name)
    {
        var others = benchmark.Parameters.Where(p => p.Name != name || p.IsJob).Select(p => $"{p.Name}\t{p.Text}");
        return $"{benchmark.Type.FullName}\n{benchmark.Method.MetadataToken}\n{benchmark.Method.Name}\n{string.Join("\n", others)}";
    }
}

/// <summary>The one benchmark that this process was started for.</summary>
internal sealed class CatalogOfOne(ulong index, Benchmark benchmark) : ICatalog
{
    public IReadOnlyList<Type> Types => [benchmark.Type];

    public void List(Action<Json> reply) => Listing.Send([benchmark], reply);

    public Benchmark? At(ulong wanted, string? key) => wanted == index ? benchmark : null;

    /// <summary>Its text has the value already.</summary>
    public int Set(string name, string[] values) => benchmark.Parameters.Any(p => p.Name == name) ? 1 : 0;
}

/// <summary>The replies of a list that the program has written elsewhere: one that has handed over to `tare`, or was compiled ahead of time. No declaration is read again.</summary>
internal sealed class WrittenCatalog(IReadOnlyList<Type> types, IReadOnlyList<string> lines) : ICatalog
{
    /// <summary>The variable with the path of the list.</summary>
    internal const string Variable = "BENCHMARK_LIST";

    public IReadOnlyList<Type> Types => types;

    /// <summary>Of this process; null: it has none.</summary>
    internal static ICatalog? OfProcess()
    {
        if (Environment.GetEnvironmentVariable(Variable) is not { } path)
        {
            return null;
        }
        var all = File.ReadAllLines(path);
        return new WrittenCatalog(all[0].Split(';').Where(name => name.Length > 0).Select(name => Case.TypeOf(Case.Plain(name))).ToList(), all.Skip(1).ToList());
    }

    internal static void Write(string path, IReadOnlyList<Benchmark> benchmarks)
    {
        var text = new StringBuilder(string.Join(";", benchmarks.Select(b => b.Type).Distinct().Select(type => Case.Escaped(Case.NameOf(type))))).Append('\n');
        Listing.Send(benchmarks, line => text.Append(line).Append('\n'));
        File.WriteAllText(path, text.ToString());
    }

    public void List(Action<Json> reply)
    {
        foreach (var line in lines)
        {
            reply(Json.Of(line));
        }
    }

    /// <summary>Other processes open them.</summary>
    public Benchmark? At(ulong index, string? key) => null;

    /// <summary>The values are those of the list.</summary>
    public int Set(string name, string[] values) => lines.Count(line => line.Contains($"{{\"name\":{Json.Quoted(name)},\"value\":"));
}
