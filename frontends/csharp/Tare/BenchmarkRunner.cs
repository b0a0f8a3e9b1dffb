// How a program with benchmarks begins: it answers the host, or hands itself to `tare`, or runs each body once.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;

namespace Tare
{
    /// <summary>The outcome of a run. The results themselves are in the table and in the run's document.</summary>
    public class Summary
    {
        internal Summary(int exitCode)
        {
            ExitCode = exitCode;
        }

        /// <summary>Exit code of `tare`; 0 if everything was measured.</summary>
        public int ExitCode { get; }
    }

    /// <summary>Measures the benchmarks of classes.</summary>
    public static class BenchmarkRunner
    {
        /// <summary>Measures the benchmarks of one class.</summary>
        public static Summary Run<T>()
        {
            return Run(typeof(T));
        }

        /// <summary>Measures the benchmarks of one class.</summary>
        public static Summary Run(Type type, string[] args = null)
        {
            return Start.Run(new[] { type }, type.Assembly, args);
        }

        /// <summary>Measures the benchmarks of several classes.</summary>
        public static Summary Run(Type[] types, string[] args = null)
        {
            return Start.Run(types, null, args);
        }

        /// <summary>Measures all benchmarks of an assembly.</summary>
        public static Summary Run(Assembly assembly, string[] args = null)
        {
            return Start.Run(Discovery.TypesOf(assembly), null, args);
        }
    }

    /// <summary>Measures the benchmarks that the arguments of the program choose.</summary>
    public class BenchmarkSwitcher
    {
        private readonly IReadOnlyList<Type> types;
        private readonly Assembly single;

        /// <summary>Chooses among these.</summary>
        public BenchmarkSwitcher(Type[] types)
        {
            this.types = types;
        }

        /// <summary>Chooses among these.</summary>
        public BenchmarkSwitcher(Assembly assembly)
        {
            types = Discovery.TypesOf(assembly);
            single = assembly;
        }

        /// <summary>Chooses among the benchmarks of an assembly.</summary>
        public static BenchmarkSwitcher FromAssembly(Assembly assembly)
        {
            return new BenchmarkSwitcher(assembly);
        }

        /// <summary>Chooses among the benchmarks of several assemblies.</summary>
        public static BenchmarkSwitcher FromAssemblies(Assembly[] assemblies)
        {
            return new BenchmarkSwitcher(assemblies.SelectMany(Discovery.TypesOf).ToArray());
        }

        /// <summary>Chooses among these classes.</summary>
        public static BenchmarkSwitcher FromTypes(Type[] types)
        {
            return new BenchmarkSwitcher(types);
        }

        /// <summary>Measures them. `--filter GLOB...` chooses by `Namespace.Class.Method`; other arguments are passed to `tare run`.</summary>
        public Summary Run(string[] args = null)
        {
            return Start.Run(types, null, args, single);
        }

        /// <summary>Measures all of them.</summary>
        public Summary RunAll()
        {
            return Start.Run(types, null, null);
        }
    }

    /// <summary>What programs configure in code, in addition to their classes.</summary>
    public static class Given
    {
        private static readonly List<KeyValuePair<string, string>> Unused = new List<KeyValuePair<string, string>>();
        private static readonly List<string> Said = new List<string>();

        /// <summary>What has no effect, each once, in the order in which it was found; what one thing does instead stands together.</summary>
        internal static IEnumerable<string> Notes => Unused.GroupBy(pair => pair.Value).Select(g =>
            string.Join(", ", g.Select(pair => "`" + pair.Key + "`")) + (g.Count() > 1 ? " have" : " has") + " no effect: " + g.Key).Concat(Said);

        /// <summary>Assemblies that the benchmarks use may be built without optimisation.</summary>
        public static bool AllowsUnoptimisedReferences { get; set; }

        /// <summary>Measures all classes with this job, in addition to their own jobs.</summary>
        public static void Job(JobAttribute job)
        {
            Jobs.Given.Add(job);
        }

        /// <summary>Measures only the benchmarks that this filter chooses, in all classes.</summary>
        public static void Filter(Func<Candidate, bool> filter)
        {
            Filters.Given.Add(filter);
        }

        /// <summary>Prints this once, next to the list.</summary>
        internal static void Say(string text)
        {
            if (!Said.Contains(text))
            {
                Said.Add(text);
            }
        }

        /// <summary>Notes once that something has no effect, and what to do instead.</summary>
        public static void WithoutEffect(string what, string instead)
        {
            var pair = new KeyValuePair<string, string>(what, instead);
            if (!Unused.Contains(pair))
            {
                Unused.Add(pair);
            }
        }

        /// <summary>The same for an attribute, as it is written in the source.</summary>
        internal static void WithoutEffect(Attribute attribute, string instead)
        {
            WithoutEffect("[" + attribute.GetType().Name.Replace("Attribute", string.Empty) + "]", instead);
        }
    }

    /// <summary>What both have in common.</summary>
    internal static class Start
    {
        /// <summary>Which call of a program that measures several times one after the other is meant.</summary>
        private const string Call = "BENCHMARK_RUN_CALL";
        private static int calls;

        internal static Summary Run(IReadOnlyList<Type> types, Assembly all, string[] args, Assembly single = null)
        {
            calls++;
            var filters = Patterns(args ?? new string[0], out var others);
            if (Link.IsThere && types.Count == 0 && single != null && Survey.IsOf(single))
            {
                Survey.Serve(single);
            }
            if (Link.IsThere)
            {
                var call = Environment.GetEnvironmentVariable(Call);
                if (call != null && call != calls.ToString())
                {
                    return new Summary(0);
                }
                // `tare` was given the program itself: then all that is in it is meant.
                var meant = call == null && all != null ? Discovery.TypesOf(all) : types;
                Link.Serve(new DeclaredCatalog(meant, filters));
            }
            if (single != null && Survey.HasResults && Survey.IsOf(single))
            {
                Survey.Summarise(single);
                return new Summary(0);
            }
            var tare = FindTare();
            if (tare != null)
            {
                return HandOver(tare, others);
            }
            var benchmarks = Discovery.Of(types, null, filters);
            NoteWithoutEffect(types, benchmarks);
            foreach (var note in Given.Notes)
            {
                Console.Error.WriteLine("note: " + note);
            }
            return new Summary(EachOnce.Run(benchmarks));
        }

        /// <summary>Notes the attributes of these classes and benchmarks that have no effect.</summary>
        internal static void NoteWithoutEffect(IReadOnlyList<Type> types, IReadOnlyList<Benchmark> benchmarks)
        {
            foreach (var setting in benchmarks.Where(b => !b.IsIterated).SelectMany(b => b.Settings).Where(s => s.InvocationsMax > 0))
            {
                Given.WithoutEffect(setting, "without an iteration set-up or clean-up, as many calls as fill a visit are timed together");
            }
            var places = types.SelectMany(t => new ICustomAttributeProvider[] { t.Assembly, t }.Concat(Discovery.MethodsOf(t)));
            foreach (var attribute in places.SelectMany(p => p.GetCustomAttributes(typeof(WithoutEffectAttribute), true)).Cast<WithoutEffectAttribute>())
            {
                Given.WithoutEffect(attribute, attribute.Instead);
            }
        }

        /// <summary>The words after `--filter`; what is left is for `tare`.</summary>
        private static IReadOnlyList<string> Patterns(string[] args, out List<string> others)
        {
            var filters = new List<string>();
            others = new List<string>();
            for (var i = 0; i < args.Length; i++)
            {
                if (args[i] != "--filter" && args[i] != "-f")
                {
                    others.Add(args[i]);
                    continue;
                }
                while (i + 1 < args.Length && !args[i + 1].StartsWith("-", StringComparison.Ordinal))
                {
                    filters.Add(args[++i]);
                }
            }
            return filters;
        }

        internal static string FindTare()
        {
            var named = Environment.GetEnvironmentVariable("TARE");
            if (!string.IsNullOrEmpty(named))
            {
                return named;
            }
            var folders = (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator);
            return folders.Where(f => f.Length > 0).Select(f => Path.Combine(f, "tare")).FirstOrDefault(File.Exists);
        }

        /// <summary>Starts `tare`, which starts this program again, in many processes.</summary>
        private static Summary HandOver(string tare, List<string> options)
        {
            // The tool that this source may have been written for has one command for both.
            var list = options.IndexOf("--list");
            var words = new List<string> { list < 0 ? "run" : "list" };
            words.AddRange(list < 0 ? options : options.Where((word, i) => i != list && !(i == list + 1 && (word == "flat" || word == "tree"))));
            words.Add("--");
            words.AddRange(OwnCommand());
            var start = new ProcessStartInfo(tare, string.Join(" ", words.Select(Quoted))) { UseShellExecute = false };
            start.Environment[Call] = calls.ToString();
            try
            {
                using (var process = Process.Start(start))
                {
                    process.WaitForExit();
                    Environment.ExitCode = Math.Max(Environment.ExitCode, process.ExitCode);
                    return new Summary(process.ExitCode);
                }
            }
            catch (System.ComponentModel.Win32Exception failed)
            {
                Console.Error.WriteLine("error: cannot start `" + tare + "`");
                Console.Error.WriteLine("  " + failed.Message);
                Console.Error.WriteLine();
                Console.Error.WriteLine("hint: set the variable TARE to the path of tare, or unset it and put tare on the PATH");
                Environment.ExitCode = 1;
                return new Summary(1);
            }
        }

        /// <summary>The command that starts this program again, with its arguments.</summary>
        internal static IEnumerable<string> OwnCommand()
        {
            return OwnCommand(Environment.GetCommandLineArgs(), Process.GetCurrentProcess().MainModule.FileName);
        }

        internal static IEnumerable<string> OwnCommand(string[] command, string program)
        {
            // The first word is the assembly where `dotnet` runs it. A name may have dots: `My.Bench` starts `My.Bench.dll`.
            var assembly = Path.GetFileName(command[0]);
            var name = Path.GetExtension(assembly) == ".dll" || Path.GetExtension(assembly) == ".exe" ? Path.GetFileNameWithoutExtension(assembly) : assembly;
            var isHosted = Path.GetFileName(program) != name && Path.GetFileName(program) != name + ".exe";
            return new[] { program }.Concat(command.Skip(isHosted ? 0 : 1));
        }

        internal static string Quoted(string word)
        {
            return word.Length > 0 && word.All(c => c != ' ' && c != '"' && c != '\t')
                ? word
                : "\"" + word.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
        }
    }
}
