// A project as it is written for BenchmarkDotNet, in programs/BenchmarkDotNet: it compiles unchanged, and means the same.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json.Nodes;

namespace Tare.Tests;

public class BenchmarkDotNetTests : IDisposable
{
    private static readonly string Project = Place.Program("BenchmarkDotNet");
    private static Done listing;

    private readonly Place place = new();

    public BenchmarkDotNetTests()
    {
        Assert.SkipUnless(Installed.HasPackages, "only the archive of .NET brings BenchmarkDotNet along");
        listing ??= place.Tare("list", Project, "--json").With(0);
    }

    public void Dispose() => place.Dispose();

    private static List<JsonNode> All => JsonNode.Parse(listing.Output)["programs"][0]["benchmarks"].AsArray().ToList();

    private static List<JsonNode> In(string group) => All.Where(one => (string)one["group"] == group).ToList();

    private static IEnumerable<string> JobsOf(string group) => In(group).SelectMany(one => one["jobs"].AsArray()).Select(job => (string)job["name"]).Distinct();

    private static JsonNode EnvironmentOf(JsonNode benchmark) => benchmark["launch"]?["environment"];

    [Fact]
    public void EveryStyleIsListed()
    {
        var invalid = All.Where(one => one["invalid"] != null).Select(one => $"{one["group"]}/{one["name"]}");
        Assert.Equal(["BadText/F", "Differing/X", "Differing/Y", "Sources/Misfit", "Validated/X"], invalid.Order());
        Assert.Equal(2 * 2 * 3 * 2 * 2, In("AllParams").Count);
        // Two values of N, times 1 + 1 + 1 + 2 + 2 rows.
        Assert.Equal(2 * 7, In("Concat").Count);
        var generic = All.Select(one => (string)one["group"]).Where(group => group.Contains('<')).Distinct();
        Assert.Equal(["AddGivenSize<Int32>", "AddGivenSize<String>", "Make<DateTime>", "Make<Int32>"], generic.Order());
    }

    [Fact]
    public void BaselinesAndSetUpsAreThoseOfTheLibrary()
    {
        var plus = In("Concat").First(one => (string)one["name"] == "plus sign");
        Assert.True((bool)plus["baseline"]);
        Assert.Equal(["global"], plus["set_ups"].Texts());
        var groups = All.Where(one => (bool)one["baseline"]).Select(one => (string)one["group"]).Distinct();
        Assert.Equal(["Asynchronous", "ByCategory, A", "ByCategory, B", "Collected, fast", "Concat", "TieredOrNot"], groups.Order());
    }

    [Fact]
    public void JobsAreThoseOfTheLibrary()
    {
        Assert.Equal([".NET 10.0", ".NET 7.0"], JobsOf("Concat"));
        Assert.Equal([".NET Framework 4.7.2", ".NET Core 3.1", ".NET 9.0", "Mono with .NET 10.0", "NativeAOT 8.0"], JobsOf("Monikers"));
        Assert.Equal(["Workstation", "ServerGC"], JobsOf("Configured"));
        // The job that the program gives is one more.
        Assert.Equal(["Cold = Dry", ".NET 10.0"], JobsOf("Cold"));
        Assert.Equal("cold-start", (string)In("Cold")[0]["strategy"]);
        Assert.Equal("monitoring", (string)In("Monitored")[0]["strategy"]);
        Assert.Equal(4, (int)In("Monitored")[0]["invocations_max"]);
        // A platform is a runtime.
        Assert.Equal(["own", ".NET 10.0", ".NET 10.0,X86", "thumb"], JobsOf("OnPlatforms"));
        Assert.Equal([null, "10.0", "10.0-x86", "arm"], In("OnPlatforms")[0]["jobs"].AsArray().Select(job => (string)job["runtime"]));
    }

    [Fact]
    public void SettingsAreThoseOfTheProcess()
    {
        Assert.Equal("1", (string)EnvironmentOf(In("Monitored")[0])["DOTNET_gcServer"]);
        var byJob = In("Collected, fast")[0]["jobs"].AsArray().Select(job => $"{job["name"]}: {job["environment"]["DOTNET_gcServer"]}");
        Assert.Equal(["Server: 1", "Workstation: 0", ".NET 10.0: "], byJob);
        // The variables of a mutator take the place of those of a job.
        Assert.Equal("1", (string)EnvironmentOf(In("TieredOrNot")[0])["MUTATED"]);
        Assert.True((bool)In("Randomized")[0]["policy"]["memory_randomization"]);
        Assert.Equal(["threading"], In("Collected, fast")[0]["diagnosers"].Texts());
        Assert.Equal(["code", "counters"], In("OnPlatforms")[0]["diagnosers"].Texts());
    }

    [Fact]
    public void ProcessesStartInTheFolderOfTheProgram()
    {
        Assert.Equal("true", (string)In("Placed")[0]["parameters"][0]["value"]);
    }

    [Fact]
    public void FiltersChoose()
    {
        Assert.Equal(["Wanted"], In("ByFilter").Select(one => (string)one["name"]));
        Assert.Equal(["Wanted"], In("ByName").Select(one => (string)one["name"]));
    }

    [Fact]
    public void WhatHasNoEffectIsSaidOnceByName()
    {
        var notes = listing.Errors.Split('\n').Where(line => line.Contains("no effect")).ToList();
        Assert.Equal(notes.Distinct(), notes);
        Assert.Contains("note: `LaunchCount` has no effect: there are always several processes; `--launches N` sets their number\n", listing.Errors);
        Assert.Contains("the jobs `forced`, `server` of `ByName` differ only in settings without effect: they are measured as one", listing.Errors);
        // What Tare shows too is asked for by the declaration.
        Assert.Empty(notes.Where(note => note.Contains("Diagnoser") || note.Contains("HardwareCounters")));
        Assert.Contains("note: `Main` threw Exception: no text", listing.Errors);
    }

    [Fact]
    public void ProcessesFindTheirValuesAgain()
    {
        string TextOf(JsonNode benchmark)
        {
            var variables = EnvironmentOf(benchmark).AsObject().ToDictionary(one => one.Key, one => (string)one.Value);
            return place.Ask(variables, ["dotnet", Place.Built("Benchmarks")], "hello 1", $"open {benchmark["index"]} 7", "check", "bye")[2];
        }

        Assert.Contains("\"100000 300000 637135310450000000 Utc 7\"", TextOf(In("Values")[0]));
        Assert.Contains("\"System.Int32 2c2.5nullFriday\"", TextOf(In("Values").Last()));
        Assert.Contains("\"2b\"", TextOf(In("Sources").First(one => (string)one["name"] == "Span")));
    }

    [Fact]
    public void ASourceThatCannotBeReadCostsItsMethodAlone()
    {
        place.Write("sources.cs", """
            using BenchmarkDotNet.Attributes;
            public class A
            {
                public IEnumerable<string> V() => File.ReadAllLines("missing.txt");
                [Benchmark, ArgumentsSource(nameof(V))] public int F(string t) => t.Length;
                [Benchmark] public int G() => 1;
            }
            public class B { [Benchmark] public int H() => 2; }
            public class C
            {
                public IEnumerable<int> None() => [];
                private IEnumerable<int> Hidden() => [1];
                [Benchmark, ArgumentsSource(nameof(None))] public int I(int n) => n;
                [Benchmark, ArgumentsSource(nameof(Hidden))] public int J(int n) => n;
                [Benchmark(OperationsPerInvoke = 0)] public int K() => 3;
            }
            """);
        var done = place.Tare("run", "--dry", "sources.cs").With(100);
        Assert.Matches(@"A/F +invalid declaration: its parameters could not be read: FileNotFoundException: .*missing\.txt.*sources\.cs:4", done.Output + done.Errors);
        Assert.Matches(@"C/I +invalid declaration: `None` has no values", done.Output + done.Errors);
        Assert.Matches(@"C/J +invalid declaration: its parameters could not be read: [^(]*\n", done.Output + done.Errors);
        Assert.Matches(@"C/K +invalid declaration: `OperationsPerInvoke`", done.Output + done.Errors);
        Assert.Matches(@"A/G +ran +1\n", done.Output);
        Assert.Matches(@"B/H +ran +2\n", done.Output);
    }

    [Fact]
    public void NothingIsLeftBesideTheProject()
    {
        Assert.Equal(["Benchmarks.csproj", "Samples.cs", "Styles.cs", "Ways.cs"], Directory.GetFileSystemEntries(Project).Select(Path.GetFileName).Order());
    }
}
