// A program with ways of its own: `Main` does something else without arguments and measures several times. What one class does wrong
// costs it alone.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Code;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;

if (args.Length == 0)
{
    Thread.Sleep(Timeout.Infinite);
}
BenchmarkRunner.Run<ByRunner>();
Samples.Program.Run(args);
Styles.Program.Run(args);
BenchmarkSwitcher.FromTypes(Classes.In(null).Where(type => type != typeof(ByRunner)).ToArray()).Run(args);

public static class Classes
{
    public static Type[] In(string space) =>
        typeof(Classes).Assembly.GetTypes().Where(type => type.Namespace == space && !type.IsAbstract && type.GetMethods().Any(IsBenchmark)).ToArray();

    private static bool IsBenchmark(MethodInfo method) => method.IsDefined(typeof(BenchmarkAttribute), true);
}

public class ByRunner
{
    [Benchmark] public int R() => 5;
}

public class Custom : IParam
{
    public object Value => "c";
    public string DisplayText => "custom!";
    public string ToSourceCode() => "new Custom()";
    public override string ToString() => "it";
}

public class Endless : IParam
{
    public object Value => this;
    public string DisplayText => "endless";
    public string ToSourceCode() => "new Endless()";
}

public class OfItself
{
    public IEnumerable<Endless> All() { yield return new Endless(); }

    [ParamsSource(nameof(All))] public Endless V;

    [Benchmark] public int F() => 3;
}

public class Sources
{
    public IEnumerable<Custom> Customs() { yield return new Custom(); }

    public IEnumerable<object> Lists() { yield return new int[1000]; yield return new int[3000]; }

    public IEnumerable<object[]> Rows() { yield return new object[] { new[] { 1, 2 }, "b" }; }

    public IEnumerable<object> Wrong() { yield return "x"; }

    [ParamsSource(nameof(Customs))] public Custom C;

    [Benchmark] public string Own() => C.ToString();

    [Benchmark, ArgumentsSource(nameof(Lists))] public int Long(int[] a) => a.Length;

    [Benchmark, ArgumentsSource(nameof(Rows))] public string Span(ReadOnlySpan<int> a, string b) => a.Length + b;

    [Benchmark, ArgumentsSource(nameof(Wrong))] public int Misfit(DateTime d) => 1;
}

public class Bad
{
    public override string ToString() => throw new Exception("no text");
}

public class BadText
{
    public IEnumerable<Bad> P() { yield return new Bad(); }

    [ParamsSource(nameof(P))] public Bad N;

    [Benchmark] public int F() => 1;
}

[SimpleJob(launchCount: 1), SimpleJob(launchCount: 2)]
public class Alike
{
    [Benchmark] public int F() => 1;
}

public class Says : IValidator
{
    public bool TreatsWarningsAsErrors => true;

    public IEnumerable<ValidationError> Validate(ValidationParameters p) { yield return new ValidationError(true, "no, says mine", p.Benchmarks[0]); }
}

[Config(typeof(Settings))]
public class Validated
{
    private class Settings : ManualConfig
    {
        public Settings() => AddValidator(new Says());
    }

    [Benchmark] public int X() => 1;

    [Benchmark] public int Y() => 2;
}

[Config(typeof(Settings))]
public class Differing
{
    private class Settings : ManualConfig
    {
        public Settings() => AddValidator(ReturnValueValidator.FailOnError);
    }

    [Benchmark] public int X() => 1;

    [Benchmark] public int Y() => 2;
}

[AnyCategoriesFilter("fast")]
public class ByFilter
{
    [Benchmark, BenchmarkCategory("Fast")] public int Wanted() => 1;

    [Benchmark, BenchmarkCategory("slow")] public int NotWanted() => 2;
}

[Config(typeof(Settings))]
public class ByName
{
    private class Settings : ManualConfig
    {
        public Settings()
        {
            AddFilter(new NameFilter(name => name.StartsWith("Wanted")));
            AddJob(Job.Default.WithGcServer(true).WithGcForce(true).WithId("forced"), Job.Default.WithGcServer(true).WithGcForce(false).WithId("server"));
        }
    }

    [Benchmark] public int Wanted() => 1;

    [Benchmark] public int NotWanted() => 2;
}

public class Placed
{
    public IEnumerable<bool> Here => new[] { File.Exists("Benchmarks.dll") };

    [ParamsSource(nameof(Here))] public bool BesideProgram;

    [Benchmark] public int X() => 1;
}
