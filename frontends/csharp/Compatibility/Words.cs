// Arguments of programs that use BenchmarkDotNet, in the words of `tare`: scripts that start such programs go on working.

using System;
using System.Collections.Generic;
using System.Linq;

namespace BenchmarkDotNet.Running
{
    internal static class Words
    {
        private const string Nothing = "";

        /// <summary>Words of `tare` that say how to measure, each of which is said once.</summary>
        private static readonly string[] OfMeasuring = { "--launches", "--invocations", "--stop-on-error", "--memory-randomization", "--quick", "--long" };

        /// <summary>What an argument is here. A word that ends with `=` takes each value; none: it is left out, with its values.</summary>
        private static readonly Dictionary<string, string> Known = new Dictionary<string, string>
        {
            { "--filter", "--filter" }, { "-f", "--filter" }, { "--anyCategories", "--category=" }, { "--allCategories", "--all-categories=" },
            { "--runtimes", "--runtimes=" }, { "-r", "--runtimes=" }, { "--launchCount", "--launches=" }, { "--invocationCount", "--invocations=" },
            { "--stopOnFirstError", "--stop-on-error" }, { "--runOncePerIteration", "--invocations=1" }, { "--memoryRandomization", "--memory-randomization" },
            { "-m", Nothing }, { "--memory", Nothing }, { "--join", Nothing }, { "--keepFiles", Nothing }, { "--noOverwrite", Nothing }, { "--disableLogFile", Nothing },
            { "--apples", Nothing }, { "--resume", Nothing }, { "--noForcedGCs", Nothing }, { "--noEvaluationOverhead", Nothing }, { "--logBuildOutput", Nothing },
            { "-e", Nothing }, { "--exporters", Nothing }, { "-a", Nothing }, { "--artifacts", Nothing }, { "--iterationCount", Nothing }, { "--minIterationCount", Nothing },
            { "--maxIterationCount", Nothing }, { "--warmupCount", Nothing }, { "--minWarmupCount", Nothing }, { "--maxWarmupCount", Nothing }, { "--iterationTime", Nothing },
            { "--unrollFactor", Nothing }, { "--outliers", Nothing }, { "--statisticalTest", Nothing }, { "--hide", Nothing }, { "--maxWidth", Nothing },
            { "-t", Nothing }, { "--threading", Nothing }, { "--exceptions", Nothing }, { "-d", Nothing }, { "--disasm", Nothing }, { "--disasmDepth", Nothing }, { "-p", Nothing },
            { "--profiler", Nothing }, { "--counters", Nothing }, { "-i", Nothing }, { "--inProcess", Nothing }, { "--platform", Nothing }, { "--buildTimeout", Nothing },
{ "--cli", Nothing }, { "--packages", Nothing }, { "--coreRun", Nothing }, { "--strategy", "--job=strategy=" }, { "--envVars", "--job=env" },
            { "--affinity", Nothing }, { "--jitTieringMode", Nothing }, { "--evaluateOverhead", Nothing }, { "--consumeTasksSynchronously", Nothing }, { "--title", Nothing },
            { "--wakeLock", Nothing }, { "--disasmFilter", Nothing }, { "--disasmDiff", Nothing }, { "--generateBinLog", Nothing }, { "--allStats", Nothing },
        };

        /// <summary>The same arguments for `tare`, or for the quick look.</summary>
        internal static string[] Of(string[] args)
        {
            if (args == null)
            {
                return null;
            }
            var words = new List<string>();
            for (var i = 0; i < args.Length;)
            {
                var name = args[i++];
                var values = new List<string>();
                while (i < args.Length && !args[i].StartsWith("-", StringComparison.Ordinal))
                {
                    values.Add(args[i++]);
                }
                words.AddRange(Of(name, values));
            }
            return Together(words).ToArray();
        }

        /// <summary>Of what is said in several ways once, and of a dry run only what it has: the user did not write the words that would exclude each other.</summary>
        private static IEnumerable<string> Together(List<string> words)
        {
            var once = new HashSet<string>();
            var isDry = words.Contains("--dry");
            foreach (var word in words)
            {
                var name = word.Split('=')[0];
                var isOfMeasuring = OfMeasuring.Contains(name);
                if (isOfMeasuring && (isDry || !once.Add(name)))
                {
                    continue;
                }
                yield return word;
            }
        }

        private static IEnumerable<string> Of(string name, List<string> values)
        {
            if (name == "--attribute")
            {
                Tare.Given.Filter(new Filters.AttributesFilter(values.ToArray()).Wants);
                return new string[0];
            }
            if (name == "--job" || name == "-j")
            {
                return values.SelectMany(Job);
            }
            if (!Known.TryGetValue(name, out var here))
            {
                return new[] { name }.Concat(values);
            }
            if (here == Nothing)
            {
                if (name != "-m" && name != "--memory" && name != "--join")
                {
                    Tare.Given.WithoutEffect(name, "see `tare run --help`");
                }
                return new string[0];
            }
            if (here == "--job=env")
            {
                return new[] { "--job", "env: " + string.Join(" ", values.Select(v => v.Replace(':', '='))) };
            }
            if (here == "--job=strategy=")
            {
                return values.Select(v => "--job=" + v + ": strategy=" + (v.ToLowerInvariant() == "coldstart" ? "cold-start" : v.ToLowerInvariant()));
            }
            return here.EndsWith("=", StringComparison.Ordinal) ? values.Select(v => here + v) : new[] { here }.Concat(values);
        }

        private static IEnumerable<string> Job(string value)
        {
            switch (value.ToLowerInvariant())
            {
                case "dry":
                    return new[] { "--dry" };
                case "short":
                    return new[] { "--quick" };
                case "long":
                case "verylong":
                    return new[] { "--long" };
                case "default":
                case "medium":
                    return new string[0];
                default:
                    return new[] { "--job=" + value };
            }
        }
    }
}
