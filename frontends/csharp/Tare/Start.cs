// How a program with benchmarks begins: it answers the host, or hands itself to `tare`, or runs each body once.

using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;

namespace Tare;

internal static class Start
{
    /// <summary>Which call of a program that measures several times one after the other is meant.</summary>
    private const string Call = "BENCHMARK_RUN_CALL";
    private static int calls;

    /// <summary>Starts the benchmarks of an assembly that has no `Main` for them: `dotnet Tare.dll X.dll ARGUMENTS`.</summary>
    private static int Main(string[] arguments)
    {
        if (arguments.Length == 0)
        {
            Ahead.Serve();
            Console.Error.WriteLine("error: no assembly is named: `dotnet Tare.dll NAME.dll`");
            return 2;
        }
        var assembly = Assembly.Load(new AssemblyName(Path.GetFileNameWithoutExtension(arguments[0])));
        return BenchmarkSwitcher.FromAssembly(assembly).Run(arguments.Skip(1).ToArray()).ExitCode;
    }

    internal static Summary Run(IReadOnlyList<Type> types, Assembly? all, string[]? args, Assembly? single = null)
    {
        calls++;
        var filters = Patterns(args ?? [], out var others);
        var isRead = single != null && Survey.IsOf(single);
        if (Link.IsThere)
        {
            if (isRead && types.Count == 0)
            {
                Survey.Serve(single!);
            }
            var call = Environment.GetEnvironmentVariable(Call);
            if (call != null && call != calls.ToString())
            {
                return new Summary(0);
            }
            // `tare` was given the program itself: then all that is in it is meant.
            var meant = call == null && all != null ? Discovery.TypesOf(all) : types;
            Link.Serve(new DeclaredCatalog(meant, filters));
        }
        if (isRead && Survey.HasResults)
        {
            Survey.Summarise(single!);
            return new Summary(0);
        }
        if (Environment.GetEnvironmentVariable("TARE_DIRECT") != "1" && FindTare() is { } tare)
        {
            return HandOver(tare, others);
        }
        var benchmarks = Discovery.Of(types, null, filters);
        Notes.OfSettings(benchmarks);
        foreach (var note in Notes.All)
        {
            Console.Error.WriteLine($"note: {note}");
        }
        return new Summary(RunOnce(benchmarks));
    }

    /// <summary>The words after `--filter`; what is left is for `tare`.</summary>
    private static List<string> Patterns(string[] args, out List<string> others)
    {
        List<string> filters = [];
        others = [];
        for (var i = 0; i < args.Length; i++)
        {
            if (args[i] is not ("--filter" or "-f"))
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

    internal static string? FindTare()
    {
        if (Environment.GetEnvironmentVariable("TARE") is { Length: > 0 } named)
        {
            return named;
        }
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
        return folders.Where(f => f.Length > 0).Select(f => Path.Combine(f, "tare")).FirstOrDefault(File.Exists);
    }

    /// <summary>Starts `tare`, which starts this program again, in many processes.</summary>
    private static Summary HandOver(string tare, List<string> options)
    {
        // The tool that this source may have been written for has one command for both.
        var list = options.IndexOf("--list");
        var words = list < 0 ? options : options.Where((word, i) => i != list && !(i == list + 1 && word is "flat" or "tree"));
        var start = new ProcessStartInfo(tare, string.Join(" ", ((string[])[list < 0 ? "run" : "list", .. words, "--", .. OwnCommand()]).Select(Quoted))) { UseShellExecute = false };
        start.Environment[Call] = calls.ToString();
        try
        {
            using var process = Process.Start(start)!;
            process.WaitForExit();
            Environment.ExitCode = Math.Max(Environment.ExitCode, process.ExitCode);
            return new Summary(process.ExitCode);
        }
        catch (Win32Exception failed)
        {
            Console.Error.WriteLine($"error: cannot start `{tare}`\n  {failed.Message}\n\nhint: set the variable TARE to the path of tare, or unset it and put tare on the PATH");
            Environment.ExitCode = 1;
            return new Summary(1);
        }
    }

    /// <summary>The command that starts this program again, with its arguments.</summary>
    internal static IEnumerable<string> OwnCommand() => OwnCommand(Environment.GetCommandLineArgs(), Process.GetCurrentProcess().MainModule!.FileName!);

    internal static IEnumerable<string> OwnCommand(string[] command, string program)
    {
        // The first word is the assembly where `dotnet` runs it. A name may have dots: `My.Bench` starts `My.Bench.dll`.
        var assembly = Path.GetFileName(command[0]);
        var name = Path.GetExtension(assembly) is ".dll" or ".exe" ? Path.GetFileNameWithoutExtension(assembly) : assembly;
        var isHosted = Path.GetFileName(program) != name && Path.GetFileName(program) != $"{name}.exe";
        return [program, .. command.Skip(isHosted ? 0 : 1)];
    }

    internal static string Quoted(string word) => word.Length > 0 && word.All(c => c is not (' ' or '"' or '\t'))
        ? word
        : $"\"{word.Replace("\\", "\\\\").Replace("\"", "\\\"")}\"";

    /// <summary>Without `tare`: runs the body of each benchmark once; gives the exit code.</summary>
    private static int RunOnce(List<Benchmark> benchmarks)
    {
        var failures = 0;
        foreach (var benchmark in benchmarks)
        {
            var title = $"{benchmark.Group}.{benchmark.Name}{string.Concat(benchmark.Parameters.Select(p => $" {p.Name}={p.Text}"))}";
            var why = benchmark.Invalid;
            try
            {
                if (why == null)
                {
                    var opened = new Opened(benchmark, 0);
                    opened.Check();
                    opened.CleanUp();
                }
            }
            catch (StepException thrown)
            {
                why = $"{thrown.Step} threw {thrown.Cause.GetType().Name}: {thrown.Message}";
            }
            catch (DeclarationException wrong)
            {
                why = wrong.Message;
            }
            failures += why == null ? 0 : 1;
            Console.WriteLine($"{title}  {(why == null ? "ran" : $"failed: {why}")}");
        }
        Console.Error.WriteLine("hint: `tare` on the PATH measures them; `cargo install --path crates/cli` in a clone of Tare installs it");
        return failures == 0 ? 0 : 1;
    }
}

/// <summary>What is said next to the list, each once.</summary>
internal static class Notes
{
    private static readonly List<KeyValuePair<string, string>> Unused = [];
    private static readonly List<string> Said = [];

    /// <summary>What has no effect, in the order in which it was found; what one thing does instead stands together.</summary>
    internal static IEnumerable<string> All => Unused.GroupBy(pair => pair.Value, pair => $"`{pair.Key}`")
        .Select(what => $"{string.Join(", ", what)} {(what.Count() > 1 ? "have" : "has")} no effect: {what.Key}").Concat(Said);

    internal static void Say(string text)
    {
        if (!Said.Contains(text))
        {
            Said.Add(text);
        }
    }

    /// <summary>That something has no effect, and what to do instead.</summary>
    internal static void WithoutEffect(string what, string instead)
    {
        var pair = new KeyValuePair<string, string>(what, instead);
        if (!Unused.Contains(pair))
        {
            Unused.Add(pair);
        }
    }

    /// <summary>Settings of these benchmarks that have no effect, as they are written in the source.</summary>
    internal static void OfSettings(IEnumerable<Benchmark> benchmarks)
    {
        foreach (var setting in benchmarks.Where(b => !b.IsIterated).SelectMany(b => b.Settings).Where(s => s.InvocationsMax > 0))
        {
            WithoutEffect($"[{setting.GetType().Name.Replace("Attribute", "")}]", "without an iteration set-up or clean-up, as many calls as fill a visit are timed together");
        }
    }
}
