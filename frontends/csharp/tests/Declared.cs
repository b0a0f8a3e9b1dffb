// Declarations of every kind, some of them wrong; what becomes of them is in csharp_test.py.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Tare;

public enum Size
{
    Small,
    Large,
}

public class Runtimes
{
    [Benchmark]
    public int Version() => throw new System.InvalidOperationException(System.Environment.Version.ToString());
}

/// At how many positions within a page its frames have been.
public class Frames
{
    private readonly HashSet<long> seen = new HashSet<long>();

    [Benchmark]
    public int Positions()
    {
        byte here = 0;
        unsafe
        {
            seen.Add((long)&here % 4096);
        }
        return seen.Count;
    }
}

public class Young
{
    public object Kept;

    [Benchmark]
    public int Allocates()
    {
        Kept = new byte[8];
        return GC.CollectionCount(0);
    }

    [Benchmark]
    public int Computes() => GC.CollectionCount(0);
}

public class Monitored : Young
{
    [Benchmark, Setting(Strategy.Monitoring)]
    public int AllocatesAlone() => Allocates();
}

[Job(null, "DECLARED_JOB", "1"), Job("", "DECLARED_JOB", "2")]
public class UnnamedJobs
{
    [Benchmark]
    public int Body() => 1;
}

public class Memory
{
    [Benchmark(Baseline = true)]
    public byte[] Eight() => new byte[8];

    [Benchmark]
    public byte[] SixtyFour() => new byte[64];

    [Benchmark]
    public void Nothing()
    {
    }

    [Benchmark]
    public void Elsewhere()
    {
        var thread = new Thread(() => kept = new byte[1000000]);
        thread.Start();
        thread.Join();
    }

    private byte[] kept;
}

public class Shapes
{
    private readonly int[] numbers = { 3, 1, 2 };

    [Benchmark]
    public ref int Reference() => ref numbers[1];

    [Benchmark]
    public ReadOnlySpan<int> Span() => new ReadOnlySpan<int>(numbers, 1, 2);

    [Benchmark]
    public (int, string) Tuple() => (numbers[0], "x");

    [Benchmark]
    public decimal Big() => 1.5m * numbers[0];

    [Benchmark]
    public static int Static() => 5;

    [Benchmark]
    public async Task<int> Later()
    {
        await Task.Delay(1);
        return 7;
    }

    [Benchmark]
    public async ValueTask<int> LaterValue()
    {
        await Task.Yield();
        return 8;
    }

    [Benchmark]
    public ValueTask<int> NowValue() => new ValueTask<int>(9);

    [Benchmark]
    public async ValueTask LaterNothing() => await Task.Yield();

    [Benchmark]
    public Task NowNothing() => Task.CompletedTask;

    [Benchmark]
    [Arguments(new byte[] { 1, 2, 3 })]
    public int OfSpan(ReadOnlySpan<byte> bytes) => bytes.Length;

    [Benchmark]
    [Arguments(4)]
    public int OfReference(in int value) => value;
}

public class Parameters
{
    [Params(2, 1)]
    public long N;

    [ParamsAllValues]
    public Size Size { get; set; }

    [ParamsSource(nameof(Texts))]
    public string Text;

    public IEnumerable<string> Texts() => new[] { "a", null };

    [Benchmark]
    [Arguments(1, true)]
    [Arguments(2, false)]
    public string All(double x, bool y) => N + Size.ToString() + (Text ?? "-") + x + y;
}

[GenericTypeArguments(typeof(int))]
[GenericTypeArguments(typeof(string))]
public class Generic<T>
{
    [Benchmark]
    public string Name() => typeof(T).Name;
}

public class Base
{
    protected string Steps = string.Empty;

    [GlobalSetup]
    public void First() => Steps += "a";

    [GlobalSetup(Target = "Own,Inherited")]
    public void ForDerived() => Steps += "-";

    [Benchmark]
    public string Inherited() => Steps;
}

public class Derived : Base
{
    [GlobalSetup]
    public async Task Second()
    {
        await Task.Yield();
        Steps += "b";
    }

    [Benchmark]
    public string Own() => Steps;

    [Benchmark]
    public string Third() => Steps;
}

public class TwoSteps
{
    [GlobalSetup]
    public void First() { }

    [GlobalSetup]
    public void Second() { }

    [Benchmark]
    public int One() => 1;
}

public class Titles
{
    [Benchmark(Description = "parse")]
    public int Old() => 1;

    [Benchmark(Description = "parse")]
    public int New() => 2;

    [Benchmark]
    [Arguments("a\tb", 'x', new[] { 1, 2, 3, 4, 5, 6 }, typeof(List<int>), null)]
    public int Odd(string text, char one, int[] many, Type type, object nothing) => many.Length;
}

public class Wrong
{
    [Benchmark]
    public IEnumerable<int> Lazy() => Enumerable.Range(0, 3).Where(i => i > 1);

    [Benchmark]
    public int WithoutArguments(int n) => n;

    [Benchmark]
    [Arguments("x")]
    public int WrongArgument(int n) => n;

    [Benchmark]
    [ArgumentsSource("Nobody")]
    public int NoSource(int n) => n;

    [Benchmark(OperationsPerInvoke = 0)]
    public int NoOperation() => 1;

    [Benchmark]
    public async IAsyncEnumerable<int> LazyLater()
    {
        await Task.Yield();
        yield return 1;
    }

    [Benchmark]
    public System.Runtime.CompilerServices.YieldAwaitable Awaitable() => Task.Yield();
}

/// <summary>The user's code throws where the benchmarks are listed.</summary>
public class WrongCode
{
    public static IEnumerable<string> Lines()
    {
        foreach (var line in System.IO.File.ReadLines("/nowhere/missing.txt"))
        {
            yield return line;
        }
    }

    public static IEnumerable<Nameless> Values() => new[] { new Nameless() };

    [Benchmark]
    [ArgumentsSource(nameof(Lines))]
    public int OfFile(string line) => line.Length;

    [Benchmark]
    [ArgumentsSource(nameof(Values))]
    public int OfNameless(Nameless value) => 1;

    [Benchmark]
    public int OfNothing() => 1;

    public class Nameless
    {
        public override string ToString() => throw new InvalidOperationException("no name");
    }
}

public class Initialized
{
    [Benchmark]
    public int Never() => Broken.Value;

    private static class Broken
    {
        internal static readonly int Value = int.Parse("x");
    }
}

public class WrongTarget
{
    [IterationSetup(Targets = new[] { nameof(One), "Nope" })]
    public void It()
    {
    }

    [Benchmark]
    public int One() => 1;
}

public class Baselines
{
    [Benchmark(Baseline = true)]
    public int First() => 1;

    [Benchmark(Baseline = true)]
    public int Second() => 2;

    [Benchmark]
    public int Third() => 3;
}

public class Open<T>
{
    [Benchmark]
    public int One() => 1;
}

public class Private
{
    private int value = 6;

    [Benchmark]
    private int Hidden() => value;
}

[BenchmarkCategory("both")]
public class Categories
{
    [Benchmark(Baseline = true)]
    [BenchmarkCategory("x")]
    public int X1() => 1;

    [Benchmark]
    [BenchmarkCategory("x")]
    public int X2() => 2;

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("y")]
    public int Y1() => 3;

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("y")]
    public int Y2() => 4;
}

public class Settings
{
    [Benchmark]
    [Setting("DECLARED_VALUE", "here")]
    public string Environment_() => Environment.GetEnvironmentVariable("DECLARED_VALUE");

    [Benchmark]
    public int Sleeps()
    {
        Thread.Sleep(2);
        return 1;
    }
}
