// Parameters: the declared values, and those that the host gives in their place.

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

    [Fact]
    public void ValuesThatDoNotFitAreRefused()
    {
        var program = new Program(typeof(Several));
        Assert.Contains("not a value of `N`", (string)program.Ask("set N x")["message"]);
        Assert.Contains("not a value of `Size`", (string)program.Ask("set Size Huge")["message"]);
    }
}
