// Programs that are compiled ahead of time, beside the same on the ordinary runtime.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Tare.Tests;

public class AheadTests : IDisposable
{
    private const string Properties = "<TargetFramework>net10.0</TargetFramework><LangVersion>latest</LangVersion><ImplicitUsings>enable</ImplicitUsings>";
    private readonly Place place = new();

    public void Dispose() => place.Dispose();

    private void Write(string properties, string items, string source)
    {
        Assert.SkipUnless(Installed.HasAhead, "native AOT needs its packages, which an archive brings along, and gcc or clang");
        place.Write("p/P.csproj", $"<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>{properties}</PropertyGroup><ItemGroup>{items}</ItemGroup></Project>");
        place.Write("p/p.cs", source);
    }

    public class Found
    {
        [ParamsSource(nameof(All))] public object Value;
        [Params(3)] public long Number;

        public static IEnumerable<object> All => [new object[] { 1, 2 }, new Uri("http://a/"), "text"];

        public static IEnumerable<object[]> Rows() => [["a", new Version(1, 2)], ["b", new Version(3, 4)]];

        [Benchmark, Arguments("c", null), ArgumentsSource(nameof(Rows))] public string Overloaded(string name, Version version) => name + version;
        [Benchmark] public string Overloaded() => Value + " " + Number;
    }

    [Fact]
    public void AnotherProcessFindsValuesWithoutTheirNames()
    {
        var all = Discovery.Of([typeof(Found)]);
        Assert.Equal([], all.Select(one => one.Invalid).Where(why => why != null));
        Assert.Equal(3 * (3 + 1), all.Count);
        for (var i = 0; i < all.Count; i++)
        {
            Environment.SetEnvironmentVariable(Case.Variable, Case.Of(all[i], i));
            var found = Case.OfProcess().At((ulong)i);
            Assert.Equal(all[i].Method, found.Method);
            Assert.Equal(all[i].Parameters.Select(p => Texts.Of(p.Value)), found.Parameters.Select(p => Texts.Of(p.Value)));
        }
        Environment.SetEnvironmentVariable(Case.Variable, null);
    }

    [Fact(Explicit = true)]
    public void EveryFormOfADeclarationIsTheSameOnBoth()
    {
        // A library, whose code may not work without a part that nobody refers to.
        Write(Properties, "<Reference Include=\"Tare\" />", """
            using Tare;

            public class Words
            {
                private int[] data;
                [Params(10, 100)] public int Count;
                [ParamsSource(nameof(Kinds))] public Thing Kind;
                public static IEnumerable<Thing> Kinds => [new("a"), new("b")];
                [GlobalSetup] public async Task SetUp() { await Task.Yield(); data = new int[Count]; }
                [GlobalCleanup] public ValueTask CleanUp() { data = null; return default; }
                [Benchmark] public string Sum() => Kind.Name + data.Length;
            }
            public class Thing(string name) { public string Name => name; public override string ToString() => "thing " + name; }
            public enum Colour { Red, Green }
            public class Arguments
            {
                [ParamsAllValues] public Colour Colour { get; set; }
                [Benchmark, Arguments(1, "x"), Arguments(2, "yy")] public string Two(int n, string s) => s + n + Colour;
                [Benchmark, ArgumentsSource(nameof(Rows))] public int Spans(ReadOnlySpan<char> text) => text.Length;
                public IEnumerable<object> Rows() => ["abc", new string('d', 500)];
            }
            public class Asynchronous
            {
                [Benchmark] public async Task<int> Yields() { await Task.Yield(); return 5; }
                [Benchmark] public ValueTask<int> Ready() => new(7);
                [Benchmark] public async Task Fails() { await Task.Yield(); throw new InvalidOperationException("awaited"); }
            }
            public class Iterated
            {
                private Queue<int> queue;
                [IterationSetup] private void Fill() => queue = new(Enumerable.Range(3, 100000));
                [Benchmark, InvocationCount(1000)] private int Private() => queue.Dequeue();
            }
            public class Others
            {
                private int field = 3;
                [Benchmark] private ref int Reference() => ref field;
                [Benchmark] public Span<int> Span() => new(ref field);
                [Benchmark] public (int, string) Tuple() => (1, "t");
                [Benchmark] public static List<int> List() => [1, 2];
                [Benchmark] public int Throws() => throw new InvalidOperationException("on purpose");
                [Benchmark] public object Reflects() => Type.GetType(Environment.GetEnvironmentVariable("NONE") ?? "Thing, P").Name;
            }
            [GenericTypeArguments(typeof(int)), GenericTypeArguments(typeof(string))]
            public class Generic<T> { [Benchmark] public static string Of() => typeof(T).Name; }
            public abstract class Base { protected abstract int Value { get; } [Benchmark] public int Inherited() => Value; }
            public class Derived : Base { protected override int Value => 8; }
            """);
        var done = place.Tare("run", "p", "--dry", "--runtimes", "10.0,nativeaot", "--param", "Count=5").With(100);
        var warnings = done.Errors.Split('\n').Where(line => Regex.IsMatch(line, @"\bIL\d{4}\b")).ToList();
        Assert.True(warnings.Count == 1 && warnings[0].Contains("Others.Reflects"), done.Errors);
        var ran = Regex.Matches(done.Output, @"(\S.*)@(\.NET 10\.0|NativeAOT) +(ran|failed) +(.*)").ToLookup(line => line.Groups[2].Value, line => (line.Groups[1].Value, line.Groups[4].Value));
        // Native code does not say where it threw.
        string Plain(string text) => text[..Math.Min(40, text.Length)];
        Assert.Equal(2 + 8 + 3 + 1 + 6 + 2 + 1, ran["NativeAOT"].Count());
        foreach (var ((name, jit), (_, native)) in ran[".NET 10.0"].Zip(ran["NativeAOT"]))
        {
            Assert.True(Plain(native) == Plain(jit), $"{name}: {jit}, and compiled ahead of time {native}");
        }
    }

    [Fact(Explicit = true)]
    public void JobsOfBenchmarkDotNetStandInOneTable()
    {
        Write(Properties + "<OutputType>Exe</OutputType>", "<PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" />", """
            using BenchmarkDotNet.Attributes;
            using BenchmarkDotNet.Jobs;
            using BenchmarkDotNet.Running;

            BenchmarkRunner.Run<Made>();

            [SimpleJob(RuntimeMoniker.Net10_0, baseline: true), SimpleJob(RuntimeMoniker.NativeAot10_0), MemoryDiagnoser]
            public class Made
            {
                [ParamsSource(nameof(Sizes))] public Func<int> Size;
                public static IEnumerable<Func<int>> Sizes() { yield return () => 8; }
                [Benchmark] public byte[] Bytes() => new byte[Size()];
            }
            """);
        var done = place.Tare("run", "p", "--dry").With(0);
        Assert.Matches(@"Made/Bytes\[Size=.*\]@\.NET 10\.0 +ran[\s\S]*Made/Bytes\[Size=.*\]@NativeAOT 10\.0 +ran", done.Output);
        Assert.DoesNotContain("warning IL", done.Errors);
        string[] program = [Place.Built("P", "")];
        var line = JsonNode.Parse(place.Ask([], program, "hello 1", "list", "bye")[1]);
        var variables = line["launch"]["environment"].AsObject().ToDictionary(one => one.Key, one => (string)one.Value);
        var replies = place.Ask(variables, program, "hello 1", $"open {line["index"]} 7", "measure workload 3 1000 1", "bye");
        Assert.Equal([32000.0, 32000.0, 32000.0], JsonNode.Parse(replies[2])["metrics"]["allocated_bytes"].Numbers());
    }

    [Fact(Explicit = true)]
    public void WithoutALinkerItSaysWhatToInstall()
    {
        // The project says how it is published.
        Write(Properties + "<PublishAot>true</PublishAot>", "<Reference Include=\"Tare\" />", "using Tare;\n\npublic class C { [Benchmark] public int F() => 1; }");
        var shell = Path.GetDirectoryName(place.Write("bin/none", string.Empty));
        File.CreateSymbolicLink(Path.Combine(shell, "sh"), "/bin/sh");
        place.Variables["PATH"] = Environment.GetEnvironmentVariable("PATH").Split(':')[0] + ":" + shell;
        Assert.Contains("hint: native AOT needs a linker: install clang or gcc", place.Tare("run", "--dry", "p").With(101).Errors);
        Assert.Matches(@"C/F +ran +1\n", place.Tare("run", "--dry", "p", "--runtimes", "10.0").With(0).Output);
    }
}
