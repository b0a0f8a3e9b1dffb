// What benchmarks a process has, as it answers the host.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Tare.BenchmarkDotNet")]

namespace Tare
{
    /// <summary>The benchmarks that a process lists and opens.</summary>
    internal interface ICatalog
    {
        /// <summary>The classes of the benchmarks.</summary>
        IReadOnlyList<Type> Types { get; }

        /// <summary>Replies with a line for each, in the order of their indices, and with the end of the list.</summary>
        void List(Action<Json> reply);

        /// <summary>The benchmark with this index; null: there is none.</summary>
        Benchmark At(ulong index);

        /// <summary>Takes these values of a parameter in place of the declared ones. Gives how many declared benchmarks have the parameter.</summary>
        int Set(string name, string[] values);
    }

    internal static class Listing
    {
        /// <summary>The list of these benchmarks, with all notes.</summary>
        internal static void Send(IReadOnlyList<Type> types, IReadOnlyList<Benchmark> benchmarks, Action<Json> reply)
        {
            for (var i = 0; i < benchmarks.Count; i++)
            {
                reply(benchmarks[i].Line(i));
            }
            Start.NoteWithoutEffect(types, benchmarks);
            reply(new Json("end").Add("count", benchmarks.Count).Add("notes", Given.Notes.ToArray()));
        }
    }

    /// <summary>What attributes of Tare declare.</summary>
    internal sealed class DeclaredCatalog : ICatalog
    {
        private readonly IReadOnlyList<string> filters;
        private readonly Dictionary<string, string[]> given = new Dictionary<string, string[]>();
        private IReadOnlyList<Benchmark> benchmarks;

        internal DeclaredCatalog(IReadOnlyList<Type> types, IReadOnlyList<string> filters)
        {
            Types = types;
            this.filters = filters;
        }

        public IReadOnlyList<Type> Types { get; }

        private IReadOnlyList<Benchmark> Benchmarks => benchmarks ?? (benchmarks = Discovery.Of(Types, given, filters));

        public void List(Action<Json> reply)
        {
            Listing.Send(Types, Benchmarks, reply);
        }

        public Benchmark At(ulong index)
        {
            return index < (ulong)Benchmarks.Count ? Benchmarks[(int)index] : null;
        }

        public int Set(string name, string[] values)
        {
            var declared = Discovery.Of(Types, null, filters).Where(b => b.Invalid == null).Select(b => new { b.Type, b.Method }).Distinct().ToList();
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
    internal sealed class ReadCatalog : ICatalog
    {
        private List<Benchmark> benchmarks;

        internal ReadCatalog(IReadOnlyList<Benchmark> benchmarks)
        {
            this.benchmarks = benchmarks.ToList();
            Types = benchmarks.Select(b => b.Type).Distinct().ToList();
        }

        public IReadOnlyList<Type> Types { get; }

        public void List(Action<Json> reply)
        {
            Listing.Send(Types, benchmarks, reply);
        }

        public Benchmark At(ulong index)
        {
            return index < (ulong)benchmarks.Count ? benchmarks[(int)index] : null;
        }

        public int Set(string name, string[] values)
        {
            var valid = benchmarks.Where(b => b.Invalid == null).ToList();
            var having = valid.Where(b => b.Parameters.Any(p => p.Name == name && !p.IsJob)).Select(b => new { b.Type, b.Method }).Distinct().Count();
            benchmarks = benchmarks.GroupBy(b => Key(b, name)).SelectMany(same => Parameters.Replaced(same.ToList(), name, values)).ToList();
            return having;
        }

        /// <summary>What benchmarks have in common that differ in this parameter alone.</summary>
        private static string Key(Benchmark benchmark, string name)
        {
            var others = benchmark.Parameters.Where(p => p.Name != name || p.IsJob).Select(p => p.Name + "\t" + p.Text);
            return benchmark.Type.FullName + "\n" + benchmark.Method.MetadataToken + "\n" + benchmark.Method.Name + "\n" + string.Join("\n", others);
        }
    }

    /// <summary>The one benchmark that this process was started for.</summary>
    internal sealed class CatalogOfOne : ICatalog
    {
        private readonly ulong index;
        private readonly Benchmark benchmark;

        internal CatalogOfOne(ulong index, Benchmark benchmark)
        {
            this.index = index;
            this.benchmark = benchmark;
        }

        public IReadOnlyList<Type> Types => new[] { benchmark.Type };

        public void List(Action<Json> reply)
        {
            Listing.Send(Types, new[] { benchmark }, reply);
        }

        public Benchmark At(ulong wanted)
        {
            return wanted == index ? benchmark : null;
        }

        /// <summary>Its text has the value already.</summary>
        public int Set(string name, string[] values)
        {
            return benchmark.Parameters.Any(p => p.Name == name) ? 1 : 0;
        }
    }

    /// <summary>A list that the program has written elsewhere: one that has handed over to `tare`, or was compiled ahead of time. No declaration is read again.</summary>
    internal sealed class WrittenCatalog : ICatalog
    {
        /// <summary>The variable with the path of the list.</summary>
        internal const string Variable = "BENCHMARK_LIST";
        private readonly IReadOnlyList<string> lines;

        /// <summary>`lines`: the replies, with the end of the list.</summary>
        internal WrittenCatalog(IReadOnlyList<Type> types, IReadOnlyList<string> lines)
        {
            Types = types;
            this.lines = lines;
        }

        public IReadOnlyList<Type> Types { get; }

        /// <summary>That of this process; null: it has none.</summary>
        internal static ICatalog OfProcess()
        {
            var path = Environment.GetEnvironmentVariable(Variable);
            if (path == null)
            {
                return null;
            }
            var all = File.ReadAllLines(path);
            return new WrittenCatalog(all[0].Split(';').Where(name => name.Length > 0).Select(name => Case.TypeOf(Case.Plain(name))).ToList(), all.Skip(1).ToList());
        }

        internal static void Write(string path, IReadOnlyList<Benchmark> benchmarks)
        {
            var types = benchmarks.Select(b => b.Type).Distinct().ToList();
            using (var file = File.Create(path))
            {
                var first = System.Text.Encoding.UTF8.GetBytes(string.Join(";", types.Select(type => Case.Escaped(Case.NameOf(type)))) + "\n");
                file.Write(first, 0, first.Length);
                Listing.Send(types, benchmarks, line => line.Send((bytes, count) => file.Write(bytes, 0, count)));
            }
        }

        public void List(Action<Json> reply)
        {
            foreach (var line in lines)
            {
                reply(Json.Of(line));
            }
        }

        /// <summary>Other processes open them.</summary>
        public Benchmark At(ulong index)
        {
            return null;
        }

        /// <summary>The values are those of the list.</summary>
        public int Set(string name, string[] values)
        {
            return lines.Count(line => line.Contains("{\"name\":" + Json.Quoted(name) + ",\"value\":"));
        }
    }
}
