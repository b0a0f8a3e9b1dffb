// The conformance benchmarks (spec/protocol.md, section 8): `tare conformance` counts and compares by them.

using System;
using System.Collections.Generic;
using System.Text;
using Tare;

public class conformance
{
    private const int TraceMax = 1000;
    private static readonly StringBuilder Trace = new StringBuilder();
    private static int coldStarts;
    private static int monitored;
    private long invocations;
    private int addend = 1;

    [GlobalSetup(Target = nameof(Count))]
    public void CountSetUp() => invocations = 0;

    [Benchmark(Description = "count")]
    public long Count() => ++invocations;

    [Benchmark(Description = "cold-start")]
    [Setting(Strategy.ColdStart)]
    public int ColdStart() => ++coldStarts;

    [Benchmark(Description = "monitoring")]
    [Setting(Strategy.Monitoring)]
    public int Monitoring() => ++monitored;

    [GlobalSetup(Targets = new[] { nameof(Steps), nameof(InIterationSetUp), nameof(InBody), nameof(InIterationCleanUp), nameof(InCleanUp) })]
    public void SetUp() => Leave('S');

    [IterationSetup(Targets = new[] { nameof(Steps), nameof(InSetUp), nameof(InBody), nameof(InIterationCleanUp), nameof(InCleanUp) })]
    public void IterationSetUp() => Leave('s');

    [IterationCleanup(Targets = new[] { nameof(Steps), nameof(InSetUp), nameof(InIterationSetUp), nameof(InBody), nameof(InCleanUp) })]
    public void IterationCleanUp() => Leave('c');

    [GlobalCleanup(Targets = new[] { nameof(Steps), nameof(InSetUp), nameof(InIterationSetUp), nameof(InBody), nameof(InIterationCleanUp) })]
    public void CleanUp() => Leave('C');

    [GlobalSetup(Target = nameof(InSetUp))]
    public void ThrowingSetUp() => Throw('S');

    [IterationSetup(Target = nameof(InIterationSetUp))]
    public void ThrowingIterationSetUp() => Throw('s');

    [IterationCleanup(Target = nameof(InIterationCleanUp))]
    public void ThrowingIterationCleanUp() => Throw('c');

    [GlobalCleanup(Target = nameof(InCleanUp))]
    public void ThrowingCleanUp() => Throw('C');

    [Benchmark(Description = "trace")]
    public string Steps() => Body();

    [Benchmark(Description = "throws-set-up")]
    public string InSetUp() => Body();

    [Benchmark(Description = "throws-iteration-set-up")]
    public string InIterationSetUp() => Body();

    [Benchmark(Description = "throws-body")]
    public string InBody()
    {
        Throw('b');
        return null;
    }

    [Benchmark(Description = "throws-iteration-clean-up")]
    public string InIterationCleanUp() => Body();

    [Benchmark(Description = "throws-clean-up")]
    public string InCleanUp() => Body();

    [Benchmark(Description = "cost-1")]
    public int Cost1() => Add(100);

    [Benchmark(Description = "cost-8")]
    public int Cost8() => Add(800);

    [Benchmark(Description = "parameter")]
    [Arguments(7)]
    public int Parameter(int n) => n;

    [Benchmark(Description = "text-integer")]
    public int Integer() => -42;

    [Benchmark(Description = "text-big")]
    public ulong Big() => ulong.MaxValue;

    [Benchmark(Description = "text-float")]
    public double Float() => 0.1;

    [Benchmark(Description = "text-whole")]
    public float Whole() => 2;

    [Benchmark(Description = "text-exponent")]
    public double Exponent() => 1e21;

    [Benchmark(Description = "text-true")]
    public bool True() => true;

    [Benchmark(Description = "text-text")]
    public string Text() => "\u00e4 \"\t";

    [Benchmark(Description = "text-long")]
    public string Long() => new string('\u00e4', 300);

    [Benchmark(Description = "text-list")]
    public List<int> List() => new List<int> { 1, 2, 3 };

    [Benchmark(Description = "text-texts")]
    public string[] Texts() => new[] { "a", "\"\n" };

    [Benchmark(Description = "text-nothing")]
    public int? Nothing() => null;

    private static void Leave(char letter)
    {
        if (Trace.Length < TraceMax)
        {
            Trace.Append(letter);
        }
    }

    private static void Throw(char letter)
    {
        Leave(letter);
        throw new InvalidOperationException("it throws");
    }

    private static string Body()
    {
        Leave('b');
        return Trace.ToString();
    }

    private int Add(int times)
    {
        var sum = 0;
        for (var i = 0; i < times; i++)
        {
            sum = (sum + addend) ^ i;
        }
        return sum;
    }
}
