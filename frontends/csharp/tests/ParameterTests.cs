// Parameters: the declared values, and those that the host gives in their place.

using System;
using System.Collections.Generic;
using System.Linq;

namespace Tare.Tests;

public class ParameterTests
{
    public enum Size
    {
        Small,
        Large,
    }

    public class Several
    {
        [Params(2, 1)] public long N;
        [ParamsAllValues] public Size Size { get; set; }
        [ParamsSource(nameof(Texts))] public string Text;

        public IEnumerable<string> Texts() => ["a", null];

        [Benchmark, Arguments(1, true), Arguments(2, false)]
        public string All(double x, bool y) => N + Size.ToString() + (Text ?? "-") + x + y;
    }

    [Fact]
    public void AllCombinationsAreBenchmarks()
    {
        var program = new Program(typeof(Several));
        var lines = program.List();
        Assert.Equal(2 * 2 * 2 * 2, lines.Count);
        var first = lines[0]["parameters"].AsArray();
        Assert.Equal(["N=2", "Text=a", "Size=Small", "x=1", "y=true"], first.Select(p => $"{p["name"]}={p["value"]}"));
        Assert.Equal(["integer", "text", null, "float", "boolean"], first.Select(p => (string)p["type"]));
        Assert.Equal("2Smalla1True", program.Text("All"));
    }

    [Fact]
    public void OtherValuesCanBeGiven()
    {
        var program = new Program(typeof(Several));
        Assert.Equal(1, (int)program.Ask("set N 5 6")["benchmarks"]);
        Assert.Equal(1, (int)program.Ask("set x 0.5")["benchmarks"]);
        Assert.Equal(0, (int)program.Ask("set other 1")["benchmarks"]);
        var values = program.List().SelectMany(line => line["parameters"].AsArray()).Where(p => (string)p["name"] is "N" or "x");
        Assert.Equal(["N=5", "N=6", "x=0.5"], values.Select(p => $"{p["name"]}={p["value"]}").Distinct().Order());
    }

    public class Shuffled
    {
        public static List<string> Order = ["a", "b", "c"];
        [ParamsSource(nameof(Order))] public string Text;

        [Benchmark] public string All() => Text;
    }

    [Fact]
    public void ABenchmarkIsFoundInAnyOrder()
    {
        var keys = new Program(typeof(Shuffled)).List().Select(line => (string)line["key"]).ToList();
        // As a set that keeps no order may have it in another process.
        Shuffled.Order = ["c", "b"];
        var program = new Program(typeof(Shuffled));
        Assert.Equal("opened", (string)program.Ask($"open 1 7 {keys[2]}")["reply"]);
        Assert.Equal("c", program.Check());
        program.Ask("close");
        Assert.Contains("does not declare it", (string)program.Ask($"open 0 7 {keys[0]}")["message"]);
    }

    public class Alike
    {
        [ParamsSource(nameof(Texts))] public string Text;
        [ParamsSource(nameof(Times))] public DateTime Time;

        public IEnumerable<string> Texts() => ["?", "\u202e", " ", "\u00a0", "\ud83d", "\ud83e", "\ud83d\ude00"];

        public IEnumerable<DateTime> Times() => [new DateTime(0, DateTimeKind.Utc), new DateTime(0, DateTimeKind.Local)];

        [Benchmark(Description = "a\tb")] public string All() => Time.Kind + string.Concat(Text.Select(c => " " + (int)c));
    }

    [Fact]
    public void TwoValuesNeverLookAlike()
    {
        var lines = new Program(typeof(Alike)).List();
        IEnumerable<string> Of(string name) => lines.SelectMany(line => line["parameters"].AsArray()).Where(p => (string)p["name"] == name).Select(p => (string)p["value"]).Distinct();
        Assert.Equal(["?", "\\u202e", " ", "\\u00a0", "\\ud83d", "\\ud83e", "\ud83d\ude00"], Of("Text"));
        Assert.Equal(2, Of("Time").Count());
        Assert.Equal(7 * 2, lines.Count);
        Assert.Equal(["a\\tb"], lines.Select(line => (string)line["name"]).Distinct());
    }

    [Fact]
    public void ValuesThatDoNotFitAreRefused()
    {
        var program = new Program(typeof(Several));
        Assert.Contains("not a value of `N`", (string)program.Ask("set N x")["message"]);
        Assert.Contains("not a value of `Size`", (string)program.Ask("set Size Huge")["message"]);
    }
}
