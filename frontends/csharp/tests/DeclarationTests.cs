// What a declaration means, and what a wrong one is told.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace Tare.Tests;

public class DeclarationTests
{
    public class Wrong
    {
        [Benchmark] public IEnumerable<int> Lazy() => Enumerable.Range(0, 3).Where(i => i > 1);
        [Benchmark] public int WithoutArguments(int n) => n;
        [Benchmark, Arguments("x")] public int WrongArgument(int n) => n;
        [Benchmark, ArgumentsSource("Nobody")] public int NoSource(int n) => n;
        [Benchmark(OperationsPerInvoke = 0)] public int NoOperation() => 1;
        [Benchmark] public YieldAwaitable Awaitable() => Task.Yield();

        [Benchmark]
        public async IAsyncEnumerable<int> LazyLater()
        {
            await Task.Yield();
            yield return 1;
        }
    }

    [Fact]
    public void WrongBodiesSayWhatToDo()
    {
        var program = new Program(typeof(Wrong));
        Assert.Contains("return `.ToList()`", program.Invalid("Lazy"));
        Assert.Contains("add `[Arguments(...)]`", program.Invalid("WithoutArguments"));
        Assert.Contains("the value `x` does not fit `n`", program.Invalid("WrongArgument"));
        Assert.Contains("no member `Nobody`", program.Invalid("NoSource"));
        Assert.Equal("`OperationsPerInvoke` is less than 1: an invocation does at least one", program.Invalid("NoOperation"));
        Assert.Contains("only a `Task` or a `ValueTask` is", program.Invalid("Awaitable"));
        Assert.Contains("read it with `await foreach`", program.Invalid("LazyLater"));
    }

    public class Open<T>
    {
        [Benchmark] public int One() => 1;
    }

    public class WrongTarget
    {
        [IterationSetup(Targets = new[] { nameof(One), "Nope" })] public void It() { }
        [Benchmark] public int One() => 1;
    }

    public class TwoSteps
    {
        [GlobalSetup] public void First() { }
        [GlobalSetup] public void Second() { }
        [Benchmark] public int One() => 1;
    }

    public class Baselines
    {
        [Benchmark(Baseline = true)] public int First() => 1;
        [Benchmark(Baseline = true)] public int Second() => 2;
        [Benchmark] public int Third() => 3;
    }

    [Fact]
    public void WrongClassesSayWhatToDo()
    {
        Assert.Contains("[GenericTypeArguments(typeof(...))]", new Program(typeof(Open<>)).Invalid("One"));
        Assert.Equal("`WrongTarget.It` is for `Nope`, which is not a benchmark of `WrongTarget`", new Program(typeof(WrongTarget)).Invalid("One"));
        Assert.Equal("`First` and `Second` are both for `One`: join them, or name other benchmarks with `Target`", new Program(typeof(TwoSteps)).Invalid("One"));
        var baselines = new Program(typeof(Baselines));
        Assert.Null(baselines.Invalid("First"));
        Assert.Equal("`First` is also a baseline: a class, or each of its categories, has only one", baselines.Invalid("Second"));
        Assert.Null(baselines.Invalid("Third"));
    }

    /// <summary>The user's code throws where the benchmarks are listed.</summary>
    public class WrongCode
    {
        public static IEnumerable<string> Lines() => System.IO.File.ReadLines("/nowhere/missing.txt");

        public static IEnumerable<Nameless> Values() => [new Nameless()];

        [Benchmark, ArgumentsSource(nameof(Lines))] public int OfFile(string line) => line.Length;
        [Benchmark, ArgumentsSource(nameof(Values))] public int OfNameless(Nameless value) => 1;
        [Benchmark] public int OfNothing() => 1;

        public class Nameless
        {
            public override string ToString() => throw new InvalidOperationException("no name");
        }
    }

    [Fact]
    public void CodeThatThrowsCostsItsOwnBenchmarkAlone()
    {
        var program = new Program(typeof(WrongCode));
        Assert.Matches(@"^`WrongCode\.Lines` threw \w+Exception: .*missing\.txt'\.", program.Invalid("OfFile"));
        Assert.Equal("a value of the type `Nameless` has no text: its code threw InvalidOperationException: no name", program.Invalid("OfNameless"));
        Assert.Equal("1", program.Text("OfNothing"));
    }

    public class Titles
    {
        [Benchmark(Description = "parse")] public int Old() => 1;
        [Benchmark(Description = "parse")] public int New() => 2;

        [Benchmark, Arguments("a\tb", 'x', new[] { 1, 2, 3, 4, 5, 6 }, typeof(List<int>), null)]
        public int Odd(string text, char one, int[] many, Type type, object nothing) => many.Length;
    }

    [Fact]
    public void BenchmarksOfOneTitleAreToldApart()
    {
        var program = new Program(typeof(Titles));
        Assert.Equal("1", program.Text("parse (Old)"));
        Assert.Equal("2", program.Text("parse (New)"));
    }

    [Fact]
    public void CodeHasTheNamesThatOtherToolsGiveIt()
    {
        var code = new Program(typeof(Titles)).Of("Odd")["code"];
        Assert.Equal("Titles", (string)code["type"]);
        Assert.Equal("Odd", (string)code["method"]);
        Assert.Equal(
            "Tare.Tests.DeclarationTests+Titles.Odd(text: \"a\\tb\", one: 'x', many: [1, 2, 3, 4, 5, ...], type: typeof(System.Collections.Generic.List<Int32>), nothing: null)",
            (string)code["full"]);
    }

    [BenchmarkCategory("both")]
    public class Categories
    {
        [Benchmark(Baseline = true), BenchmarkCategory("x")] public int X1() => 1;
        [Benchmark, BenchmarkCategory("x")] public int X2() => 2;
        [Benchmark(Baseline = true), BenchmarkCategory("y")] public int Y1() => 3;
        [Benchmark(Baseline = true), BenchmarkCategory("y")] public int Y2() => 4;
    }

    [Fact]
    public void BaselinesOfSeveralCategoriesMakeGroups()
    {
        var program = new Program(typeof(Categories));
        Assert.Equal("Categories, x", (string)program.Of("X1")["group"]);
        Assert.Equal("Categories, y", (string)program.Of("Y1")["group"]);
        Assert.Equal(["both", "y"], program.Of("Y1")["categories"].Texts());
        Assert.True((bool)program.Of("Y1")["baseline"]);
        Assert.Equal("`Y1` is also a baseline: a class, or each of its categories, has only one", program.Invalid("Y2"));
    }

    [MemoryDiagnoser, ThreadingDiagnoser, ExceptionDiagnoser]
    public class Settings
    {
        [Benchmark, Setting("DECLARED_VALUE", "here")] public int WithVariable() => 1;
        [Benchmark, GcServer(true)] public int WithServer() => 1;
        [Benchmark, InvocationCount(3)] public int Free() => 1;
        [Benchmark, RunOncePerIteration] public int Once() => 1;
        [IterationSetup(Target = nameof(Once))] public void Set() { }
    }

    [Fact]
    public void SettingsAreThoseOfTheProcess()
    {
        var program = new Program(typeof(Settings));
        Assert.Equal("here", (string)program.Of("WithVariable")["launch"]["environment"]["DECLARED_VALUE"]);
        Assert.Equal("1", (string)program.Of("WithServer")["launch"]["environment"]["DOTNET_gcServer"]);
        Assert.Equal(["threading", "exceptions"], program.Of("Free")["diagnosers"].Texts());
        // Only iterations have a number of calls.
        Assert.Null(program.Of("Free")["invocations_max"]);
        Assert.Equal(1, (int)program.Of("Once")["invocations_max"]);
        Assert.Equal(["iteration"], program.Of("Once")["set_ups"].Texts());
    }

    [Job(null, "DECLARED_JOB", "1"), Job("", "DECLARED_JOB", "2")]
    public class UnnamedJobs
    {
        [Benchmark] public int Body() => 1;
    }

    [SimpleJob(RuntimeMoniker.Net80, baseline: true), SimpleJob(Strategy.ColdStart), SimpleJob(strategy: Strategy.Monitoring, id: "each")]
    public class KnownJobs
    {
        [Benchmark] public int Body() => 1;
    }

    [Fact]
    public void JobsHaveNamesRuntimesAndStrategies()
    {
        string[] Names(Type type) => new Program(type).List().SelectMany(line => line["jobs"].AsArray()).Select(job => (string)job["name"]).ToArray();
        Assert.Equal(["Job", "Job#2"], Names(typeof(UnnamedJobs)));
        var jobs = new Program(typeof(KnownJobs)).List().SelectMany(line => line["jobs"].AsArray()).ToDictionary(job => (string)job["name"]);
        Assert.Equal("8.0", (string)jobs[".NET 8.0"]["runtime"]);
        Assert.True((bool)jobs[".NET 8.0"]["base"]);
        Assert.Equal("cold-start", (string)jobs["ColdStart"]["strategy"]);
        Assert.Equal("monitoring", (string)jobs["each"]["strategy"]);
    }

    public class WithDefaults
    {
        [Benchmark] public int Body() => 1;
    }

    [Fact]
    public void AnAheadOfTimeCompiledProgramSaysWhatToSet()
    {
        AppContext.SetSwitch("System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported", false);
        try
        {
            Assert.Contains("built for ahead-of-time compilation", new Program(typeof(WithDefaults)).Invalid("Body"));
        }
        finally
        {
            AppContext.SetSwitch("System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported", true);
        }
    }
}
