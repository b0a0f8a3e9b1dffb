// A program whose benchmarks another library declares: it runs as it is, an adapter for that library notes what it would measure, and
// when `Main` has ended the list is there.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;

namespace Tare;

/// <summary>Reads what a library declares.</summary>
internal interface IReader
{
    /// <summary>What was noted since the start of the program.</summary>
    IReadOnlyList<Benchmark> Benchmarks { get; }

    /// <summary>Removes what the library has left.</summary>
    void Close();

    /// <summary>Notes all classes of an assembly that are not noted yet. One that cannot be read costs only itself.</summary>
    void Read(Assembly assembly);

    /// <summary>Notes what the library leaves out without a word.</summary>
    void SayWhatIsEmpty(Assembly assembly);

    /// <summary>Has the library print and export what `tare` has measured of an assembly without a `Main` of its own.</summary>
    void Summarise(Assembly assembly);

    /// <summary>Whether the library threw this while it read declarations, and not the code of `Main`.</summary>
    bool WasReading(Exception thrown);
}

internal static class Survey
{
    /// <summary>What the runtime calls before `Main`.</summary>
    internal const string HooksVariable = "DOTNET_STARTUP_HOOKS";

    /// <summary>The variable with the path of results that `tare` has measured already.</summary>
    internal const string ResultsVariable = "BENCHMARK_RESULTS";

    /// <summary>An assembly with a class that implements <see cref="IReader"/>, which lies beside the front end.</summary>
    private const string Adapter = "Tare.BenchmarkDotNet", Reader = "Tare.BenchmarkDotNet.Reader";
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(40);
    private static readonly object Turn = new();
    private static Timer? timer;
    private static IReader? reader;
    private static Thread? last;
    private static bool isOver;

    /// <summary>The front end, and what the user has there.</summary>
    internal static string Hooks => string.Join($"{Path.PathSeparator}", (IEnumerable<string>)[typeof(Survey).Assembly.Location, .. OtherHooks]);

    private static IEnumerable<string> OtherHooks =>
        (Environment.GetEnvironmentVariable(HooksVariable) ?? "").Split(Path.PathSeparator).Where(hook => hook.Length > 0 && hook != typeof(Survey).Assembly.Location);

    /// <summary>Programs that this one starts are not asked.</summary>
    internal static void RemoveHook()
    {
        var others = string.Join($"{Path.PathSeparator}", OtherHooks);
        Environment.SetEnvironmentVariable(HooksVariable, others.Length == 0 ? null : others);
    }

    /// <summary>
    /// Answers for the one benchmark that this process is for, and never returns; or arranges for the list to be sent when `Main` has ended.
    /// </summary>
    internal static void Begin()
    {
        ServeKnown();
        if (timer != null)
        {
            return;
        }
        Link.Take();
        var program = Assembly.GetEntryAssembly();
        if (reader == null && program != null && program != typeof(Survey).Assembly && !IsOf(program))
        {
            // It was built without `tare`: `Main` would measure.
            Notes.Say("the program was built without `tare`: any configuration in its `Main` is ignored; to use it, name the project instead");
            Serve(program);
        }
        AppDomain.CurrentDomain.ProcessExit += (_, _) => End(null);
        AppDomain.CurrentDomain.UnhandledException += (_, args) =>
            End("`Main` threw " + (args.ExceptionObject is Exception thrown ? Thrown.Text(thrown) : "an object"), args.ExceptionObject as Exception);
        timer = new Timer(_ => End($"`Main` did not end within {Longest.TotalSeconds} s"), null, Longest, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The adapter that notes what `Main` measures. A process that measures never returns from here.</summary>
    internal static void Begin(IReader adapter)
    {
        reader = adapter;
        Begin();
    }

    /// <summary>Answers with the list of an assembly without a `Main`.</summary>
    internal static void Serve(Assembly assembly)
    {
        ServeKnown();
        var read = Load();
        read.Read(assembly);
        Link.Serve(new ReadCatalog(read.Benchmarks));
    }

    /// <summary>`tare run --as-benchmarkdotnet` has measured, and started this program for the summary.</summary>
    internal static bool HasResults => Environment.GetEnvironmentVariable(ResultsVariable) != null;

    internal static void Summarise(Assembly assembly) => Load().Summarise(assembly);

    /// <summary>The front end, or its adapter.</summary>
    internal static bool IsOurs(Assembly? assembly) => assembly == typeof(Survey).Assembly || assembly?.GetName().Name == Adapter;

    /// <summary>Whether another library declares its benchmarks.</summary>
    internal static bool IsOf(Assembly assembly) => assembly.GetReferencedAssemblies().Any(name => name.Name == Adapter);

    /// <summary>Never returns where a variable says which benchmark this process is for, or the whole list.</summary>
    private static void ServeKnown()
    {
        if ((Case.OfProcess() ?? WrittenCatalog.OfProcess()) is { } known)
        {
            Link.Serve(known);
        }
    }

    private static IReader Load() => reader ??= (IReader)Activator.CreateInstance(AdapterOf().GetType(Reader, true)!, true)!;

    /// <summary>It lies beside the front end, which a program that was built without `tare` does not know.</summary>
    private static Assembly AdapterOf()
    {
        var path = Path.Combine(Path.GetDirectoryName(typeof(Survey).Assembly.Location) ?? "", $"{Adapter}.dll");
        return File.Exists(path) ? Assembly.LoadFrom(path) : Assembly.Load(Adapter);
    }

    private static void End(string? why, Exception? thrown = null)
    {
        lock (Turn)
        {
            last ??= Thread.CurrentThread;
        }
        if (last != Thread.CurrentThread)
        {
            // `Main` has ended after all, while another thread answers: it ends the process, and this one must not do so before.
            Thread.Sleep(Timeout.Infinite);
        }
        if (isOver)
        {
            return;
        }
        isOver = true;
        var hasNone = reader == null || reader.Benchmarks.Count == 0;
        var hasStopped = thrown != null && reader?.WasReading(thrown) == true;
        if (hasNone && why == null)
        {
            Notes.Say("`Main` ran no benchmarks when it was started with `--filter *`: they are read from the assembly, without any configuration of `Main`");
        }
        try
        {
            if (hasNone || hasStopped)
            {
                Load().Read(Assembly.GetEntryAssembly()!);
            }
            else if (why == null)
            {
                reader!.SayWhatIsEmpty(Assembly.GetEntryAssembly()!);
            }
        }
        catch (Exception unread)
        {
            Notes.Say($"the benchmarks could not be read: {Thrown.Text(unread)}");
        }
        if (why != null)
        {
            Notes.Say(why + (hasNone || hasStopped ? ": the remaining classes are read from the assembly, without any configuration of `Main`"
                : ": benchmarks that it would have run after that are missing"));
        }
        var benchmarks = reader?.Benchmarks ?? [];
        reader?.Close();
        Link.Serve(new ReadCatalog(benchmarks));
    }
}
