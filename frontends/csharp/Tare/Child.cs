// The child of the protocol (spec/protocol.md; R1, R2, ... are its rules).

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Tare
{
    /// <summary>A request that is answered with an error (R9).</summary>
    internal sealed class RefusedException : Exception
    {
        internal RefusedException(string kind, string message)
            : base(message)
        {
            Kind = kind;
        }

        internal string Kind { get; }
    }

    internal sealed class Child
    {
        private const string FrontEnd = "tare-csharp 0.1.0";
        private const int IterationsMax = 100000;
        private const int WindowsMax = 1024;
        private const ulong InvocationsMax = long.MaxValue / 2;

        private const int Rehearsals = 16;
        private static readonly char[] RehearsedRequest = "measure workload 1 10000 1000 8".ToCharArray();

        private readonly ICatalog catalog;
        private readonly Verb[] verbs;
        private readonly Action<Json> reply;
        private bool isGreeted;
        private Opened opened;

        internal Child(ICatalog catalog, Action<Json> reply)
        {
            this.catalog = catalog;
            this.reply = reply;
            verbs = new[]
            {
                new Verb("hello", Hello, 1, 255, true, true),
                new Verb("list", List, 0, 0, true, false),
                new Verb("set", Set, 2, 255, true, false),
                new Verb("open", Open, 2, 2, true, false),
                new Verb("check", Check, 0, 0, false, true),
                new Verb("measure", Measure, 4, 5, false, true),
                new Verb("diagnose", Diagnose, 4, 4, false, true),
                new Verb("randomize", Randomize, 1, 1, false, true),
                new Verb("collect", Collect, 0, 0, false, true),
                new Verb("close", Close, 0, 0, false, true),
                new Verb("bye", Bye, 0, 0, true, true),
            };
        }

        /// <summary>`bye` was answered.</summary>
        internal bool IsOver { [MethodImpl(Clock.Optimised)] get; private set; }

        /// <summary>Answers one request. Null: it was longer than a request may be.</summary>
        [MethodImpl(Clock.Optimised)]
        internal void Answer(string line)
        {
            try
            {
                var words = Words(line ?? string.Empty);
                if (!isGreeted && (line == null || words[0] != "hello"))
                {
                    throw new RefusedException("bad-state", "the first request is hello");
                }
                if (line == null)
                {
                    throw new RefusedException("bad-request", "a request has at most 255 bytes");
                }
                var verb = VerbOf(words[0]) ?? throw new RefusedException("unknown-request", "there is no such request");
                if (isGreeted && !(opened == null ? verb.WhenReady : verb.WhenOpened))
                {
                    throw new RefusedException("bad-state", opened == null ? "no benchmark is open" : "a benchmark is open");
                }
                var arguments = new string[words.Length - 1];
                Array.Copy(words, 1, arguments, 0, arguments.Length);
                if (arguments.Length < verb.Least || arguments.Length > verb.Most)
                {
                    throw new RefusedException("bad-request", "wrong number of arguments");
                }
                verb.Run(arguments);
            }
            catch (RefusedException refused)
            {
                var error = new Json("error").Add("kind", refused.Kind).Add("message", refused.Message);
                reply(refused.Kind == "version" ? error.Add("versions", new long[] { 1 }) : error);
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
        private Verb VerbOf(string word)
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
                .Add("type", thrown.InnerException.GetType().Name).Add("file", place?.GetFileName()).Add("line", place?.GetFileLineNumber());
        }

        private void Hello(string[] arguments)
        {
            if (Number(arguments[0]) != 1)
            {
                throw new RefusedException("version", "this child speaks version 1");
            }
            isGreeted = true;
            // The probes are methods of this assembly: where it is not optimised they are of no known length.
            var isProbeKnown = !Discovery.IsUnoptimised(typeof(Child).Assembly);
            if (isProbeKnown)
            {
                Probes.Warm();
            }
            var capabilities = new List<string> { "probe", "windows", "rolled", "diagnose", "collect", "randomize", "parameters" };
            capabilities.AddRange(Native.HasCpu ? new[] { "cpu", "process-cpu" } : new string[0]);
            capabilities.AddRange(Native.HasSwitches ? new[] { "switches", "waits" } : new string[0]);
            capabilities.AddRange(Memory.HasCompilations ? new[] { "compilations" } : new string[0]);
            reply(new Json("hello")
                .Add("protocol", 1)
                .Add("language", Language.Of(catalog.Types))
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
                .Add("compiles_late", true)
                .Add("compiles_by_clock", true)
                .Add("compiles_by_count", Compiler.Watch())
                .Add("collects", true)
                .Add("metrics", Measurement.Metrics())
                .Add("diagnosers", Pass.Declared())
                .Add("capabilities", capabilities));
        }

        private void List(string[] arguments)
        {
            catalog.List(reply);
        }

        private void Set(string[] arguments)
        {
            var words = arguments.Select(Unquoted).ToArray();
            try
            {
                reply(new Json("set").Add("benchmarks", catalog.Set(words[0], words.Skip(1).ToArray())));
            }
            catch (DeclarationException wrong)
            {
                throw new RefusedException("bad-request", wrong.Message);
            }
        }

        private void Open(string[] arguments)
        {
            ulong index = Number(arguments[0]), seed = Number(arguments[1]);
            var benchmark = catalog.At(index) ?? throw new RefusedException("bad-request", "no benchmark has that index");
            if (benchmark.Invalid != null)
            {
                throw new RefusedException("not-supported", benchmark.Invalid);
            }
            var made = new Opened(benchmark, seed);
            Measurement.Prepare(made);
            opened = made;
            reply(new Json("opened"));
        }

        /// <summary>The text of a result; null where it has none, or where its code cannot make one.</summary>
        private static string TextOf(object result)
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
            var text = TextOf(opened.Check());
            reply(new Json("checked")
                .Add("digest", text == null ? Json.Null : Texts.Digest(text))
                .Add("text", text == null ? Json.Null : Texts.Beginning(Texts.Whole(text), 200)));
        }

        [MethodImpl(Clock.Optimised)]
        private void Measure(string[] arguments)
        {
            ulong iterations = Number(arguments[1]), invocations = Number(arguments[2]), lead = Number(arguments[3]);
            var windows = arguments.Length > 4 ? Number(arguments[4]) : 0;
            var hasWindows = arguments.Length > 4;
            var loop = arguments[0] == "workload" ? Which.Workload : arguments[0] == "overhead" ? Which.Overhead
                : arguments[0] == "rolled" ? Which.Rolled : throw new RefusedException("bad-request", "there is no such loop");
            Bounded(iterations, invocations, lead);
            if (hasWindows && (windows < 1 || windows > WindowsMax || iterations * windows > IterationsMax))
            {
                throw new RefusedException("bad-request", "a number of windows out of range");
            }
            if (lead == 0)
            {
                Rehearse();
            }
            var measurement = new Measurement(Instance(), loop, (int)iterations, (long)invocations, (int)windows);
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
            Bounded(iterations, invocations, lead);
            var pass = Pass.Of(arguments[0]) ?? throw new RefusedException("not-supported", "there is no such diagnoser here");
            var missing = pass.Missing;
            if (missing != null)
            {
                throw new RefusedException("not-supported", missing);
            }
            reply(pass.Run(Instance(), (int)iterations, (long)invocations, (long)lead));
        }

        private void Randomize(string[] arguments)
        {
            var seed = Number(arguments[0]);
            Instance().Randomize(seed);
            reply(new Json("randomized"));
        }

        private void Collect(string[] arguments)
        {
            Memory.Collect();
            reply(new Json("collected").Add("live_bytes", Memory.Live()));
        }

        private void Close(string[] arguments)
        {
            var instance = opened;
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
                Console.Error.WriteLine("error in clean-up: " + thrown.Message);
            }
            reply(new Json("bye"));
            IsOver = true;
        }

        /// <summary>What is open; a `randomize` that failed has left nothing that could be measured.</summary>
        [MethodImpl(Clock.Optimised)]
        private Opened Instance()
        {
            return opened.Loop != null ? opened : throw new RefusedException("bad-state", "only close is useful after a set-up that failed");
        }

        [MethodImpl(Clock.Optimised)]
        private static void Bounded(ulong iterations, ulong invocations, ulong lead)
        {
            if (iterations < 1 || iterations > IterationsMax || invocations < 1)
            {
                throw new RefusedException("bad-request", "a number out of range");
            }
            if (invocations > InvocationsMax || lead > InvocationsMax)
            {
                throw new RefusedException("not-supported", "that many invocations would not end");
            }
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
            var isNumber = text.Length > 0;
            for (var i = 0; i < text.Length && isNumber; i++)
            {
                var digit = (ulong)(text[i] - '0');
                isNumber = text[i] >= '0' && text[i] <= '9' && number <= (ulong.MaxValue - digit) / 10;
                number = unchecked((10 * number) + digit);
            }
            return isNumber ? number : throw new RefusedException("bad-request", "not a number: " + Texts.Beginning(text, 40));
        }

        /// <summary>The text of a word: `%XX` are its bytes, `%` alone is the empty text.</summary>
        private static string Unquoted(string word)
        {
            if (word == "%")
            {
                return string.Empty;
            }
            var bytes = new List<byte>();
            for (var i = 0; i < word.Length; i++)
            {
                if (word[i] != '%')
                {
                    bytes.Add((byte)word[i]);
                    continue;
                }
                if (i + 2 >= word.Length || !byte.TryParse(word.Substring(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var one))
                {
                    throw new RefusedException("bad-request", "not a word: " + Texts.Beginning(word, 40));
                }
                bytes.Add(one);
                i += 2;
            }
            return Encoding.UTF8.GetString(bytes.ToArray());
        }

        private sealed class Verb
        {
            internal Verb(string word, Action<string[]> run, int least, int most, bool whenReady, bool whenOpened)
            {
                Word = word;
                Run = run;
                Least = least;
                Most = most;
                WhenReady = whenReady;
                WhenOpened = whenOpened;
            }

            internal string Word { get; }
            internal Action<string[]> Run { get; }
            internal int Least { get; }
            internal int Most { get; }
            internal bool WhenReady { get; }
            internal bool WhenOpened { get; }
        }
    }
}
