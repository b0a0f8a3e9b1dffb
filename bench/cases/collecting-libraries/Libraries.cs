// The same with two popular libraries: a JSON library, and the parser of C#.

using System.Linq;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Running;
using Microsoft.CodeAnalysis.CSharp;
using Newtonsoft.Json.Linq;

BenchmarkSwitcher.FromAssembly(typeof(Json).Assembly).Run(args);

public class Json
{
    [Params(200, 5000)] public int Entries;
    private string text;

    [GlobalSetup]
    public void SetUp() => text = new JArray(Enumerable.Range(0, Entries).Select(i => new JObject { ["id"] = i, ["name"] = "entry " + i, ["tags"] = new JArray(1, 2, i) })).ToString();

    [Benchmark(Baseline = true)] public int Base() => JArray.Parse(text).ToString().Length;
    [Benchmark] public int Twin() => JArray.Parse(text).ToString().Length;
}

public class Syntax
{
    [Params(30, 1000)] public int Methods;
    private string text;

    [GlobalSetup]
    public void SetUp() => text = "class C {" + string.Join("\n", Enumerable.Range(0, Methods).Select(i => $"public int M{i}(int x, string y) {{ return x + y.Length * {i}; }}")) + "}";

    [Benchmark(Baseline = true)] public int Base() => CSharpSyntaxTree.ParseText(text).GetRoot().DescendantNodes().Count();
    [Benchmark] public int Twin() => CSharpSyntaxTree.ParseText(text).GetRoot().DescendantNodes().Count();
}
