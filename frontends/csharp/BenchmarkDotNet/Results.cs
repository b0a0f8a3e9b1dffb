// What `tare` has measured, as BenchmarkDotNet takes it.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Parameters;
using BenchmarkDotNet.Toolchains.Results;

namespace Tare.BenchmarkDotNet;

/// <summary>The result of a case.</summary>
internal sealed class Result
{
    /// <summary>Why there is none; empty: there is.</summary>
    internal string? Reason;

    /// <summary>The times of the visits of each launch without the loop, ns.</summary>
    internal List<List<double>>? Launches;

    /// <summary>What the loop takes, ns.</summary>
    internal double Loop;
    internal string Interval = "", Verdict = "";

    /// <summary>By name of the metric: a value for each operation.</summary>
    internal Dictionary<string, double> Metrics = [];
}

internal static class Results
{
    /// <summary>Operations that a measurement stands for at least: its time is written with two digits behind the point.</summary>
    private const long Fewest = 1000000;

    /// <summary>The library warns of shorter measurements; one of Tare stands for many visits.</summary>
    private const double ShortestNs = 200e6;

    /// <summary>The form of the results that is read here: rows of fields between tabs.</summary>
    private const string Template = "benchmarkdotnet-rows", EndOfRow = "\t(end)\t";

    /// <summary>Results that are there from the beginning.</summary>
    private static readonly Lazy<List<string[]>> Handed = new(() => RowsOf(Environment.GetEnvironmentVariable(Survey.ResultsVariable)!));

    private static readonly Dictionary<BenchmarkCase, Result> Known = [];

    /// <summary>How often the library has asked for a case.</summary>
    private static readonly Dictionary<BenchmarkCase, int> Asked = [];

    /// <summary>Null: it was not measured.</summary>
    internal static Result? Of(BenchmarkCase one)
    {
        lock (Known)
        {
            return Known.TryGetValue(one, out var result) ? result : null;
        }
    }

    /// <summary>Runs `tare`, which starts this program again, in many processes.</summary>
    internal static void Measure(IReadOnlyList<BenchmarkCase> cases, string options)
    {
        var benchmarks = Carried.Of(cases, out var of);
        if (AreThere)
        {
            Keep(cases, of, Handed.Value, 0);
            return;
        }
        var folder = Path.Combine(Path.GetTempPath(), $"tare-{Guid.NewGuid():N}");
        Native.CreatePrivateFolder(folder);
        try
        {
            string list = Path.Combine(folder, "list"), output = Path.Combine(folder, "results.txt");
            WrittenCatalog.Write(list, benchmarks);
            IEnumerable<string> words =
                ["run", .. options.Split([' '], StringSplitOptions.RemoveEmptyEntries), "--template", Template, "-o", output, "--", .. Start.OwnCommand()];
            var start = new ProcessStartInfo(Start.FindTare()!, string.Join(" ", words.Select(Start.Quoted))) { UseShellExecute = false };
            start.Environment[WrittenCatalog.Variable] = list;
            start.Environment[Survey.HooksVariable] = Survey.Hooks;
            using var process = Process.Start(start)!;
            process.WaitForExit();
            Keep(cases, of, RowsOf(output), process.ExitCode);
        }
        finally
        {
            Directory.Delete(folder, true);
        }
    }

    internal static bool AreThere => Survey.HasResults;

    /// <summary>Whether one of them is of this method: the user may have chosen others.</summary>
    internal static bool AreOf(BenchmarkCase one)
    {
        var descriptor = one.Descriptor;
        string type = Discovery.NameOf(descriptor.Type), method = descriptor.WorkloadMethod.Name, title = Texts.Visible(Carried.Description(descriptor.WorkloadMethod) ?? method);
        return Handed.Value.Any(row =>
            (row[0] == type || row[0].EndsWith($".{type}", StringComparison.Ordinal) || row[0].Contains($"{type}, "))
            && new[] { method, title }.Any(name => row[1] == name || row[1].StartsWith($"{name}(", StringComparison.Ordinal) || row[1].StartsWith($"{name} (", StringComparison.Ordinal)));
    }

    private static void Keep(IReadOnlyList<BenchmarkCase> cases, Dictionary<BenchmarkCase, (Benchmark Benchmark, NamedJob Job)> of, List<string[]> rows, int status)
    {
        lock (Known)
        {
            foreach (var one in cases)
            {
                Known[one] = ResultOf(rows, of[one].Benchmark, of[one].Job, status);
            }
        }
    }

    private static List<string[]> RowsOf(string path) =>
        (File.Exists(path) ? File.ReadAllText(path) : "").Split([EndOfRow], StringSplitOptions.None)
            .Select(row => row.Split('\t')).Where(row => row.Length > 12).ToList();

    private static string[]? Row(List<string[]> rows, Benchmark benchmark, NamedJob job)
    {
        var parameters = string.Concat(benchmark.Parameters.Where(p => !p.IsJob).Select(p => $"{p.Name}={p.Text};"));
        var own = rows.Where(r => r[0] == benchmark.Group && r[1] == benchmark.Name && r[2] == parameters).ToList();
        return own.Count > 1 ? own.FirstOrDefault(r => r[3] == job.Name) : own.FirstOrDefault();
    }

    /// <summary>As a process of BenchmarkDotNet's own would have said it.</summary>
    internal static ExecuteResult Of(ExecuteParameters parameters)
    {
        var result = Of(parameters.BenchmarkCase);
        var launch = LaunchOf(parameters);
        var lines = new List<string>();
        var prefixed = new List<string>();
        if (result?.Launches == null)
        {
            prefixed.Add("// ERROR: " + (result?.Reason ?? "`tare` has no result for it"));
        }
        else
        {
            var own = ShareOf(result.Launches, parameters.BenchmarkCase, launch);
            var mean = result.Loop + own.DefaultIfEmpty(0).Average();
            var operations = mean > 0 ? Math.Max(Fewest, (long)Math.Min(ShortestNs / mean, 1e12)) : Fewest;
            Add(lines, "OverheadActual", own.Select(value => result.Loop), operations);
            Add(lines, "WorkloadActual", own.Select(value => value + result.Loop), operations);
            Add(lines, "WorkloadResult", own, operations);
            prefixed.AddRange(EnvironmentLines(parameters.BenchmarkCase.Job));
            prefixed.AddRange(MetricLines(result.Metrics, operations));
        }
        return New(result?.Launches != null, lines, prefixed, launch);
    }

    /// <summary>From 1. Before version 0.13.2 the library does not say it, and asks in their order.</summary>
    private static int LaunchOf(ExecuteParameters parameters)
    {
        lock (Known)
        {
            Asked.TryGetValue(parameters.BenchmarkCase, out var count);
            Asked[parameters.BenchmarkCase] = ++count;
            return typeof(ExecuteParameters).GetProperty("LaunchIndex")?.GetValue(parameters, null) as int? ?? count;
        }
    }

    /// <summary>The library asks once for each launch of a job, and puts the measurements of all together: each gets a share, so that none counts twice.</summary>
    private static List<double> ShareOf(List<List<double>> launches, BenchmarkCase one, int launch)
    {
        var run = one.Job.Run;
        var count = run.HasValue(RunMode.LaunchCountCharacteristic) ? Math.Max(1, run.LaunchCount) : 1;
        var at = Math.Max(0, launch - 1);
        if (count == 1 || launches.Count == 0)
        {
            return launches.SelectMany(visits => visits).ToList();
        }
        // A launch without any measurement would be a failure.
        return count > launches.Count ? launches[at % launches.Count] : launches.Where((visits, i) => i % count == at % count).SelectMany(visits => visits).ToList();
    }

    private static void Add(List<string> lines, string stage, IEnumerable<double> times, long operations)
    {
        var number = 0;
        foreach (var time in times)
        {
            var total = (time * operations).ToString("0.00", CultureInfo.InvariantCulture);
            lines.Add(stage + " " + (++number) + ": " + operations + " op, " + total + " ns, " + time.ToString("0.0000", CultureInfo.InvariantCulture) + " ns/op");
        }
    }

    /// <summary>What the library shows above its statistics.</summary>
    private static IEnumerable<string> EnvironmentLines(Job job)
    {
        var gc = job.Environment.Gc;
        var isServer = gc.HasValue(GcMode.ServerCharacteristic) ? gc.Server : GCSettings.IsServerGC;
        var isConcurrent = gc.HasValue(GcMode.ConcurrentCharacteristic) ? gc.Concurrent : GCSettings.LatencyMode == GCLatencyMode.Interactive;
        yield return "// Runtime=" + (job.Environment.Runtime?.ToString() ?? RuntimeInformation.FrameworkDescription);
        yield return "// GC=" + (isConcurrent ? "Concurrent " : "Non-concurrent ") + (isServer ? "Server" : "Workstation");
    }

    /// <summary>Counts for so many operations that a fraction of one is not lost.</summary>
    private static IEnumerable<string> MetricLines(Dictionary<string, double> metrics, long operations)
    {
        string? Total(string name) => metrics.TryGetValue(name, out var value) ? Math.Round(value * operations).ToString("0", CultureInfo.InvariantCulture) : null;
        var collections = new[] { "collections_0", "collections_1", "collections_2" }.Select(name => Total(name) ?? "0");
        yield return $"// GC:  {string.Join(" ", collections)} {Total("allocated_bytes") ?? "?"} {operations}";
        if (Total("threading/work_items") is { } items && Total("threading/lock_contentions") is { } contentions)
        {
            yield return $"// Threading:  {items} {contentions} {operations}";
        }
        // Without it the library would say that there were none.
        yield return "// Exceptions: " + (metrics.TryGetValue("exceptions/thrown", out var exceptions) ? exceptions : double.NaN).ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>Its parameters are others in other versions.</summary>
    private static ExecuteResult New(bool isDone, List<string> lines, List<string> prefixed, int launch)
    {
        var constructor = typeof(ExecuteResult).GetConstructors().OrderByDescending(c => c.GetParameters().Length).First();
        var values = constructor.GetParameters().Select(p => p.Name switch
        {
            "foundExecutable" => true,
            "exitCode" => isDone ? 0 : 1,
            "results" => lines,
            // Before version 0.13.3 counts stand among the measurements, and there is no line for exceptions.
            "data" => lines.Concat(prefixed.Where(line => !line.StartsWith("// Exceptions", StringComparison.Ordinal))).ToList(),
            "prefixedLines" or "prefixedLinesWithExtraOutput" or "extraOutput" or "linesWithExtraOutput" => prefixed,
            "standardOutput" => new List<string>(),
            "launchIndex" => launch,
            _ => (object?)null,
        });
        return (ExecuteResult)constructor.Invoke(values.ToArray());
    }

    private static Result ResultOf(List<string[]> rows, Benchmark benchmark, NamedJob job, int status)
    {
        var row = Row(rows, benchmark, job);
        if (row == null || row[4] != "measured")
        {
            return new Result { Reason = benchmark.Invalid ?? (row != null && row[5].Length > 0 ? row[5] : $"`tare` ended with status {status} and has no result for it") };
        }
        var net = Number(row[7]);
        var loop = Math.Max(0, (Number(row[6]) ?? 0) - (net ?? 0));
        var launches = row[11].Split('|').Select(visits => Numbers(visits).Select(ns => Math.Max(0, ns - loop)).ToList()).Where(visits => visits.Count > 0).ToList();
        // Their mean is the time that Tare shows, which is without the loop and, where it can be, without other users of the core.
        var mean = launches.SelectMany(visits => visits).DefaultIfEmpty(0).Average();
        // A body that cannot be told from an empty one has the time 0.
        var scale = mean > 0 ? (net ?? 0) / mean : 0;
        return new Result
        {
            Launches = launches.Select(visits => visits.Select(ns => ns * scale).ToList()).ToList(),
            Loop = loop,
            Interval = net is { } time ? $"{Percent(Number(row[8]), time)} {Percent(Number(row[9]), time)}" : "0",
            Verdict = row[10],
            Metrics = row[12].Split(';').Select(pair => pair.Split('=')).Where(pair => pair.Length == 2 && Number(pair[1]) != null)
                .GroupBy(pair => pair[0]).ToDictionary(g => g.Key, g => Number(g.First()[1])!.Value),
        };
    }

    private static string Percent(double? bound, double time) =>
        bound == null ? "" : ((bound.Value / time) - 1).ToString("+0.0 %;-0.0 %;±0.0 %", CultureInfo.InvariantCulture);

    private static IEnumerable<double> Numbers(string text) =>
        text.Split(';').Select(Number).OfType<double>();

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : null;
}

/// <summary>A column of Tare's.</summary>
internal sealed class ResultColumn(string name, string legend, Func<Result, string> value) : IColumn
{
    public string Id => $"Tare.{name}";
    public string ColumnName => name;
    public string Legend => legend;
    public bool AlwaysShow => false;
    public bool IsNumeric => false;
    public ColumnCategory Category => ColumnCategory.Statistics;
    public UnitType UnitType => UnitType.Dimensionless;

    /// <summary>Behind those of the library.</summary>
    public int PriorityInCategory => 1000;

    public string GetValue(global::BenchmarkDotNet.Reports.Summary summary, BenchmarkCase benchmarkCase)
    {
        var result = Results.Of(benchmarkCase);
        return result?.Launches == null ? "NA" : value(result);
    }

    public string GetValue(global::BenchmarkDotNet.Reports.Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) =>
        GetValue(summary, benchmarkCase);

    public bool IsDefault(global::BenchmarkDotNet.Reports.Summary summary, BenchmarkCase benchmarkCase) =>
        GetValue(summary, benchmarkCase).Length == 0;

    public bool IsAvailable(global::BenchmarkDotNet.Reports.Summary summary) => summary.BenchmarksCases.Any(one => !IsDefault(summary, one));
}
