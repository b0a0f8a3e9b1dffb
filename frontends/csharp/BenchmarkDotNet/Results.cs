// What `tare` has measured, as BenchmarkDotNet takes it.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Parameters;
using BenchmarkDotNet.Toolchains.Results;

namespace Tare.BenchmarkDotNet
{
    /// <summary>The result of a case.</summary>
    internal sealed class Result
    {
        /// <summary>Why there is none; empty: there is.</summary>
        internal string Reason;

        /// <summary>The time without the loop in each launch, ns.</summary>
        internal List<double> Launches;
        internal string Interval;
        internal string Verdict;

        /// <summary>By name of the metric: a value for each operation.</summary>
        internal Dictionary<string, double> Metrics;
    }

    internal static class Results
    {
        /// <summary>Operations that a measurement stands for at least: its time is written with two digits behind the point.</summary>
        private const long Fewest = 1000000;

        /// <summary>The library warns of shorter measurements; one of Tare stands for many visits.</summary>
        private const double ShortestNs = 200e6;

        /// <summary>Templates keep no line ends.</summary>
        private const string EndOfRow = "\t(end)\t";

        /// <summary>A row for each case, the fields of which are separated by tabs.</summary>
        private const string Template = "{% for case in cases %}{{ case.group }}\t{{ case.name }}\t"
            + "{% for p in case.parameters %}{{ p.name }}={{ p.value }};{% endfor %}\t{{ case.job }}\t{{ case.outcome }}\t{{ case.reason }}\t"
            + "{{ case.raw_ns }}\t{{ case.time_ns }}\t{{ case.time_lower_ns }}\t{{ case.time_upper_ns }}\t{{ case.verdict }}\t"
            + "{% for launch in case.launches %}{{ launch.value_ns }};{% endfor %}\t"
            + "{% for metric in case.metrics %}{{ metric.name }}={{ metric.value }};{% endfor %}" + EndOfRow + "{% endfor %}";

        private static readonly Dictionary<BenchmarkCase, Result> Known = new Dictionary<BenchmarkCase, Result>();

        /// <summary>Null: it was not measured.</summary>
        internal static Result Of(BenchmarkCase one)
        {
            lock (Known)
            {
                return Known.TryGetValue(one, out var result) ? result : null;
            }
        }

        /// <summary>Runs `tare`, which starts this program again, in many processes.</summary>
        internal static void Measure(IReadOnlyList<BenchmarkCase> cases, string options, ILogger logger)
        {
            var folder = Path.Combine(Path.GetTempPath(), "tare-" + Guid.NewGuid().ToString("N"));
            Native.CreatePrivateFolder(folder);
            try
            {
                string list = Path.Combine(folder, "list"), template = Path.Combine(folder, "results.txt.jinja"), output = Path.Combine(folder, "results.txt");
                var benchmarks = Carried.Of(cases, out var of);
                WrittenCatalog.Write(list, benchmarks);
                File.WriteAllText(template, Template);
                var words = new List<string> { "run" };
                words.AddRange(options.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries));
                words.AddRange(new[] { "--template", template, "-o", output, "--" });
                words.AddRange(Start.OwnCommand());
                var start = new ProcessStartInfo(Start.FindTare(), string.Join(" ", words.Select(Start.Quoted))) { UseShellExecute = false };
                start.Environment[WrittenCatalog.Variable] = list;
                if (Runtime.IsCoreClr)
                {
                    start.Environment[Survey.HooksVariable] = Survey.Hooks;
                }
                int status;
                using (var process = Process.Start(start))
                {
                    process.WaitForExit();
                    status = process.ExitCode;
                }
                var rows = (File.Exists(output) ? File.ReadAllText(output) : string.Empty).Split(new[] { EndOfRow }, StringSplitOptions.None)
                    .Select(row => row.Split('\t')).Where(row => row.Length > 12).ToList();
                lock (Known)
                {
                    foreach (var one in cases)
                    {
                        Known[one] = ResultOf(rows, of[one].Key, of[one].Value, status);
                    }
                }
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        /// <summary>As a process of BenchmarkDotNet's own would have said it.</summary>
        internal static ExecuteResult Of(ExecuteParameters parameters)
        {
            var result = Of(parameters.BenchmarkCase);
            var lines = new List<string>();
            var prefixed = new List<string>();
            if (result?.Launches == null)
            {
                prefixed.Add("// ERROR: " + (result?.Reason ?? "`tare` has no result of it"));
            }
            else
            {
                var mean = result.Launches.Count == 0 ? 0 : result.Launches.Average();
                var operations = mean > 0 ? Math.Max(Fewest, (long)Math.Min(ShortestNs / mean, 1e12)) : Fewest;
                Add(lines, "WorkloadActual", result.Launches, operations);
                Add(lines, "WorkloadResult", result.Launches, operations);
                prefixed.AddRange(MetricLines(result.Metrics, operations));
            }
            return New(result?.Launches != null, lines, prefixed, parameters.LaunchIndex);
        }

        private static void Add(List<string> lines, string stage, List<double> launches, long operations)
        {
            for (var i = 0; i < launches.Count; i++)
            {
                var total = (launches[i] * operations).ToString("0.00", CultureInfo.InvariantCulture);
                lines.Add(stage + " " + (i + 1) + ": " + operations + " op, " + total + " ns, " + launches[i].ToString("0.0000", CultureInfo.InvariantCulture) + " ns/op");
            }
        }

        /// <summary>Counts for so many operations that a fraction of one is not lost.</summary>
        private static IEnumerable<string> MetricLines(Dictionary<string, double> metrics, long operations)
        {
            string Total(string name) => metrics.TryGetValue(name, out var value) ? Math.Round(value * operations).ToString("0", CultureInfo.InvariantCulture) : null;
            var collections = new[] { "collections_0", "collections_1", "collections_2" }.Select(name => Total(name) ?? "0");
            yield return "// GC:  " + string.Join(" ", collections) + " " + (Total("allocated_bytes") ?? "?") + " " + operations;
            if (Total("threading/work_items") != null && Total("threading/lock_contentions") != null)
            {
                yield return "// Threading:  " + Total("threading/work_items") + " " + Total("threading/lock_contentions") + " " + operations;
            }
            // Without it the library would say that there were none.
            yield return "// Exceptions: " + (metrics.TryGetValue("exceptions/thrown", out var exceptions) ? exceptions : double.NaN).ToString(CultureInfo.InvariantCulture);
        }

        /// <summary>Its parameters are others in other versions.</summary>
        private static ExecuteResult New(bool isDone, List<string> lines, List<string> prefixed, int launch)
        {
            var constructor = typeof(ExecuteResult).GetConstructors().OrderByDescending(c => c.GetParameters().Length).First();
            var values = constructor.GetParameters().Select(p =>
            {
                switch (p.Name)
                {
                    case "foundExecutable":
                        return true;
                    case "exitCode":
                        return (object)(isDone ? 0 : 1);
                    case "results":
                    case "data":
                        return lines;
                    case "prefixedLines":
                    case "prefixedLinesWithExtraOutput":
                    case "extraOutput":
                        return prefixed;
                    case "standardOutput":
                        return new List<string>();
                    case "launchIndex":
                        return launch;
                    default:
                        return null;
                }
            });
            return (ExecuteResult)constructor.Invoke(values.ToArray());
        }

        private static Result ResultOf(List<string[]> rows, Benchmark benchmark, NamedJob job, int status)
        {
            var parameters = string.Concat(benchmark.Parameters.Where(p => !p.IsJob).Select(p => p.Name + "=" + p.Text + ";"));
            var own = rows.Where(r => r[0] == benchmark.Group && r[1] == benchmark.Name && r[2] == parameters).ToList();
            var row = own.Count > 1 ? own.FirstOrDefault(r => r[3] == job.Name) : own.FirstOrDefault();
            if (row == null || row[4] != "measured")
            {
                return new Result { Reason = benchmark.Invalid ?? (row != null && row[5].Length > 0 ? row[5] : "`tare` ended with status " + status + " and has no result of it") };
            }
            var net = Number(row[7]);
            var launches = Numbers(row[11]).ToList();
            // Their mean is the time that Tare shows, which is without the loop and, where it can be, without other users of the core.
            var shift = (net ?? 0) - (launches.Count == 0 ? 0 : launches.Average());
            return new Result
            {
                // A body that cannot be told from an empty one has the time 0.
                Launches = launches.Select(value => net == null ? 0 : Math.Max(0, value + shift)).ToList(),
                Interval = net == null ? "0" : Percent(Number(row[8]), net) + " " + Percent(Number(row[9]), net),
                Verdict = row[10],
                Metrics = row[12].Split(';').Select(pair => pair.Split('=')).Where(pair => pair.Length == 2 && Number(pair[1]) != null)
                    .GroupBy(pair => pair[0]).ToDictionary(g => g.Key, g => Number(g.First()[1]).Value),
            };
        }

        private static string Percent(double? bound, double? time)
        {
            return bound == null ? string.Empty : ((bound.Value / time.Value) - 1).ToString("+0.0 %;-0.0 %", CultureInfo.InvariantCulture);
        }

        private static IEnumerable<double> Numbers(string text)
        {
            return text.Split(';').Select(Number).Where(number => number != null).Select(number => number.Value);
        }

        private static double? Number(string text)
        {
            return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : (double?)null;
        }
    }

    /// <summary>A column of Tare's.</summary>
    internal sealed class ResultColumn : IColumn
    {
        private readonly Func<Result, string> value;

        internal ResultColumn(string name, string legend, Func<Result, string> value)
        {
            ColumnName = name;
            Legend = legend;
            this.value = value;
        }

        public string Id => "Tare." + ColumnName;

        public string ColumnName { get; }

        public bool AlwaysShow => false;

        public ColumnCategory Category => ColumnCategory.Statistics;

        /// <summary>Behind those of the library.</summary>
        public int PriorityInCategory => 1000;

        public bool IsNumeric => false;

        public UnitType UnitType => UnitType.Dimensionless;

        public string Legend { get; }

        public string GetValue(global::BenchmarkDotNet.Reports.Summary summary, BenchmarkCase benchmarkCase)
        {
            var result = Results.Of(benchmarkCase);
            return result?.Launches == null ? "NA" : value(result);
        }

        public string GetValue(global::BenchmarkDotNet.Reports.Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style)
        {
            return GetValue(summary, benchmarkCase);
        }

        public bool IsDefault(global::BenchmarkDotNet.Reports.Summary summary, BenchmarkCase benchmarkCase)
        {
            return GetValue(summary, benchmarkCase).Length == 0;
        }

        public bool IsAvailable(global::BenchmarkDotNet.Reports.Summary summary)
        {
            return summary.BenchmarksCases.Any(one => !IsDefault(summary, one));
        }
    }
}
