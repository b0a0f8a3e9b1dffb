// The child of the protocol (spec/protocol.md; R1, R2, ... are its rules).

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tare;

/// <summary>A request that is answered with an error.</summary>
internal sealed class RefusedException(string kind, string message) : Exception(message)
{
    internal string Kind { get; } = kind;
}

internal sealed class Child
{
    private const string FrontEnd = "tare-csharp 0.1.0";
    private const int Rehearsals = 16;
    private static readonly char[] RehearsedRequest = "measure workload 1 10000 1000 8".ToCharArray();

    private readonly ICatalog catalog;
    private readonly Verb[] verbs;
    private readonly Action<Json> reply;
    private Opened? opened;

    internal Child(ICatalog catalog, Action<Json> reply)
    {
        this.catalog = catalog;
        this.reply = reply;
        verbs =
        [
            new Verb("hello", Hello, true, true),
            new Verb("list", List, true, false),
            new Verb("set", Set, true, false),
            new Verb("open", Open, true, false),
            new Verb("check", Check, false, true),
            new Verb("measure", Measure, false, true),
            new Verb("diagnose", Diagnose, false, true),
            new Verb("randomize", Randomize, false, true),
            new Verb("collect", Collect, false, true),
            new Verb("close", Close, false, true),
            new Verb("bye", Bye, true, true),
        ];
    }

    /// <summary>`bye` was answered.</summary>
    internal bool IsOver { [MethodImpl(Clock.Optimised)] get; private set; }

    /// <summary>Answers one request. R9: what the host would not send ends the process.</summary>
    [MethodImpl(Clock.Optimised)]
    internal void Answer(string line)
    {
        var words = Words(line);
        var verb = VerbOf(words[0]);
        if (verb == null || !(opened == null ? verb.WhenReady : verb.WhenOpened))
        {
            Console.Error.WriteLine($"error: tare cannot answer `{line}` here");
            Native.Exit(2);
        }
        try
        {
            var arguments = new string[words.Length - 1];
            Array.Copy(words, 1, arguments, 0, arguments.Length);
            verb!.Run(arguments);
        }
        catch (RefusedException refused)
        {
            var error = new Json("error").Add("kind", refused.Kind).Add("message", refused.Message);
            reply(refused.Kind == "version" ? error.Add("versions", (long[])[1]) : error);
        }
        catch (StepException thrown)
        {
            reply(Error(thrown));
        }
        catch (OutOfMemoryException)
        {
            reply(new Json("error").Add("kind", "not-supported").Add("message", "there is not enough memory"));
        }
    }

    [MethodImpl(Clock.Optimised)]
    private Verb? VerbOf(string word)
    {
        for (var i = 0; i < verbs.Length; i++)
        {
            if (verbs[i].Word == word)
            {
                return verbs[i];
            }
        }
        return null;
    }

    private static Json Error(StepException thrown)
    {
        var place = thrown.Place;
        return new Json("error").Add("kind", "exception").Add("step", thrown.Step).Add("message", thrown.Message)
            .Add("type", thrown.Cause.GetType().Name).Add("file", place?.GetFileName()).Add("line", place?.GetFileLineNumber());
    }

    private void Hello(string[] arguments)
    {
        if (Number(arguments[0]) != 1)
        {
            throw new RefusedException("version", "this child speaks version 1");
        }
        // The probes are methods of this assembly: where it is not optimised they are of no known length.
        var isProbeKnown = !Discovery.IsUnoptimised(typeof(Child).Assembly);
        if (isProbeKnown)
        {
            Probes.Warm();
        }
        List<string> capabilities =
        [
            "probe", "windows", "rolled", "diagnose", "collect", "randomize", "parameters",
            .. Native.HasCpu ? (string[])["cpu", "process-cpu"] : [],
            .. Native.HasSwitches ? (string[])["switches", "waits"] : [],
            .. Memory.HasCompilations ? (string[])["compilations"] : [],
        ];
        reply(new Json("hello")
            .Add("protocol", 1)
            .Add("language", Runtime.LanguageOf(catalog.Types))
            .Add("front_end", FrontEnd)
            .Add("runtime", Runtime.Name)
            .Add("flags", Runtime.Settings)
            .Add("optimised", !catalog.Types.Any(t => Discovery.IsUnoptimised(t.Assembly)))
            .Add("debugger", Debugger.IsAttached)
            .Add("clock", nameof(Stopwatch))
            .Add("clock_resolution_ns", Clock.Resolution())
            .Add("unroll", Loop.Unroll)
            .Add("rolled_unroll", Loop.RolledUnroll)
            .Add("calls_body", true)
            .Add(isProbeKnown ? "probe_cycles" : "probe_steps", Probes.ClockSteps)
            .Add("width_additions", Probes.WidthSteps)
            .Add("width_per_process", true)
            // Not where another processor is emulated.
            .Add("width_per_runtime", RuntimeInformation.ProcessArchitecture == RuntimeInformation.OSArchitecture)
            .Add("compiles_late", !Ahead.IsHere)
            .Add("compiles_by_clock", !Ahead.IsHere)
            .Add("compiles_by_count", Compiler.Watch())
            .Add("collects", true)
            .Add("metrics", Measurement.Metrics())
            .Add("diagnosers", Pass.Declared())
            .Add("capabilities", capabilities));
    }

    private void List(string[] arguments) => catalog.List(reply);

    private void Set(string[] arguments)
    {
        var words = arguments.Select(Unquoted).ToArray();
        try
        {
            reply(new Json("set").Add("benchmarks", catalog.Set(words[0], words.Skip(1).ToArray())));
        }
        catch (DeclarationException wrong)
        {
            throw new RefusedException("bad-value", wrong.Message);
        }
    }

    private void Open(string[] arguments)
    {
        var benchmark = catalog.At(Number(arguments[0]), arguments.Length > 2 ? arguments[2] : null)
            ?? throw new StepException("set-up", new DeclarationException("this process does not declare it: declare the same ones each time"));
        var made = new Opened(benchmark, Number(arguments[1]));
        Measurement.Prepare(made);
        opened = made;
        reply(new Json("opened"));
    }

    /// <summary>The text of a result; null where it has none, or where its code cannot make one.</summary>
    private static string? TextOf(object? result)
    {
        try
        {
            return Texts.Of(result);
        }
        catch (DeclarationException)
        {
            return null;
        }
    }

    private void Check(string[] arguments)
    {
        var text = TextOf(opened!.Check());
        reply(new Json("checked")
            .Add("digest", text == null ? Json.Null : Texts.Digest(text))
            .Add("text", text == null ? Json.Null : Texts.Beginning(Texts.Whole(text), 200)));
    }

    [MethodImpl(Clock.Optimised)]
    private void Measure(string[] arguments)
    {
        ulong iterations = Number(arguments[1]), invocations = Number(arguments[2]), lead = Number(arguments[3]);
        var windows = arguments.Length > 4 ? Number(arguments[4]) : 0;
        var loop = arguments[0] == "workload" ? Which.Workload : arguments[0] == "overhead" ? Which.Overhead : Which.Rolled;
        if (lead == 0)
        {
            Rehearse();
        }
        var measurement = new Measurement(opened!, loop, (int)iterations, (long)invocations, (int)windows);
        measurement.Run((long)lead);
        reply(measurement.Reply());
    }

    /// <summary>
    /// Reads a request as it is read before a visit. The runtime compiles what was called 30 times once more: not beside the visits, of which
    /// there are about as many, but while the body warms up. Visits have a lead-in.
    /// </summary>
    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    private void Rehearse()
    {
        for (var i = 0; i < Rehearsals; i++)
        {
            var words = Words(new string(RehearsedRequest, 0, RehearsedRequest.Length));
            var arguments = new string[words.Length - 1];
            Array.Copy(words, 1, arguments, 0, arguments.Length);
            if (VerbOf(words[0]) != null && arguments[0] == "workload")
            {
                Number(arguments[1]);
            }
        }
    }

    private void Diagnose(string[] arguments)
    {
        ulong iterations = Number(arguments[1]), invocations = Number(arguments[2]), lead = Number(arguments[3]);
        var pass = Pass.Of(arguments[0]);
        if (pass.Missing is { } missing)
        {
            throw new RefusedException("not-supported", missing);
        }
        reply(pass.Run(opened!, (int)iterations, (long)invocations, (long)lead));
    }

    private void Randomize(string[] arguments)
    {
        opened!.Randomize(Number(arguments[0]));
        reply(new Json("randomized"));
    }

    private void Collect(string[] arguments)
    {
        Memory.Collect();
        reply(new Json("collected").Add("live_bytes", Memory.Live()));
    }

    private void Close(string[] arguments)
    {
        var instance = opened!;
        opened = null;
        instance.CleanUp();
        reply(new Json("closed"));
    }

    private void Bye(string[] arguments)
    {
        try
        {
            opened?.CleanUp();
        }
        catch (StepException thrown)
        {
            Console.Error.WriteLine($"error in clean-up: {thrown.Message}");
        }
        reply(new Json("bye"));
        IsOver = true;
    }

    /// <summary>What stands between the spaces.</summary>
    [MethodImpl(Clock.Optimised)]
    private static string[] Words(string line)
    {
        var count = 1;
        for (var i = 0; i < line.Length; i++)
        {
            count += line[i] == ' ' ? 1 : 0;
        }
        var words = new string[count];
        int next = 0, from = 0;
        for (var i = 0; i <= line.Length; i++)
        {
            if (i == line.Length || line[i] == ' ')
            {
                words[next++] = line.Substring(from, i - from);
                from = i + 1;
            }
        }
        return words;
    }

    [MethodImpl(Clock.Optimised)]
    private static ulong Number(string text)
    {
        ulong number = 0;
        for (var i = 0; i < text.Length; i++)
        {
            number = unchecked((10 * number) + (ulong)(text[i] - '0'));
        }
        return number;
    }

    /// <summary>The text of a word: `%XX` are its bytes, `%` alone is the empty text.</summary>
    private static string Unquoted(string word) => word == "%" ? "" : Uri.UnescapeDataString(word);

    private sealed class Verb(string word, Action<string[]> run, bool whenReady, bool whenOpened)
    {
        internal string Word { get; } = word;
        internal Action<string[]> Run { get; } = run;
        internal bool WhenReady { get; } = whenReady;
        internal bool WhenOpened { get; } = whenOpened;
    }
}
