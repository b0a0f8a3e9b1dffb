// Bodies and steps of every shape: what they return, and in which order they run.

using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Tare.Tests;

public class BodyTests
{
    public class Shapes
    {
        private readonly int[] numbers = { 3, 1, 2 };

        [Benchmark] public ref int Reference() => ref numbers[1];
        [Benchmark] public ReadOnlySpan<int> Span() => new ReadOnlySpan<int>(numbers, 1, 2);
        [Benchmark] public (int, string) Tuple() => (numbers[0], "x");
        [Benchmark] public decimal Decimal() => 1.5m * numbers[0];
        [Benchmark] public static int Static() => 5;
        [Benchmark] private int Private() => numbers.Length;
        [Benchmark, Arguments(new byte[] { 1, 2, 3 })] public int OfSpan(ReadOnlySpan<byte> bytes) => bytes.Length;
        [Benchmark, Arguments(4)] public int OfReference(in int value) => value;
    }

    [Fact]
    public void ResultsHaveTheirTexts()
    {
        var program = new Program(typeof(Shapes));
        Assert.Equal("1", program.Text("Reference"));
        Assert.Equal("[1,2]", program.Text("Span"));
        Assert.Equal("[3,\"x\"]", program.Text("Tuple"));
        Assert.Equal("4.5", program.Text("Decimal"));
        Assert.Equal("5", program.Text("Static"));
        Assert.Equal("3", program.Text("Private"));
        Assert.Equal("3", program.Text("OfSpan"));
        Assert.Equal("4", program.Text("OfReference"));
    }

    public class Asynchronous
    {
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

        [Benchmark] public ValueTask<int> NowValue() => new ValueTask<int>(9);
        [Benchmark] public async ValueTask LaterNothing() => await Task.Yield();
        [Benchmark] public Task NowNothing() => Task.CompletedTask;
    }

    [Fact]
    public void TasksAreAwaited()
    {
        var program = new Program(typeof(Asynchronous));
        Assert.Equal("7", program.Text("Later"));
        Assert.Equal("8", program.Text("LaterValue"));
        Assert.Equal("9", program.Text("NowValue"));
        Assert.Null(program.Text("LaterNothing"));
        Assert.Null(program.Text("NowNothing"));
    }

    [GenericTypeArguments(typeof(int)), GenericTypeArguments(typeof(string))]
    public class Generic<T>
    {
        [Benchmark] public string OfType() => typeof(T).Name;
    }

    [Fact]
    public void AGenericClassIsClosedWithEachOfItsTypes()
    {
        var lines = new Program(typeof(Generic<>)).List();
        Assert.Equal(["Generic<Int32>", "Generic<String>"], lines.ConvertAll(line => (string)line["group"]));
    }

    public class Base
    {
        protected string Steps = string.Empty;

        [GlobalSetup] public void First() => Steps += "a";
        [GlobalSetup(Target = "Own,Inherited")] public void ForDerived() => Steps += "-";
        [Benchmark] public string Inherited() => Steps;
    }

    public class Derived : Base
    {
        [GlobalSetup]
        public async Task Second()
        {
            await Task.Yield();
            Steps += "b";
        }

        [Benchmark] public string Own() => Steps;
        [Benchmark] public string Third() => Steps;
    }

    [Fact]
    public void ASetUpByNameStandsInForTheGeneralOnes()
    {
        var program = new Program(typeof(Derived));
        Assert.Equal("-", program.Text("Inherited"));
        Assert.Equal("-", program.Text("Own"));
        Assert.Equal("ab", program.Text("Third"));
    }

    public class Initialized
    {
        [Benchmark] public int Never() => Broken.Value;

        private static class Broken
        {
            internal static readonly int Value = int.Parse("x");
        }
    }

    [Fact]
    public void ATypeThatCannotBeInitializedSaysWhy()
    {
        var program = new Program(typeof(Initialized));
        program.Open("Never");
        var error = program.Ask("measure workload 1 1 0");
        Assert.Equal("exception", (string)error["kind"]);
        Assert.Equal("body", (string)error["step"]);
        Assert.Equal("TypeInitializationException", (string)error["type"]);
        Assert.Matches(@"threw an exception\. FormatException: .", (string)error["message"]);
    }

    /// <summary>Counts positions of its frames within a page.</summary>
    public class Frames
    {
        private readonly HashSet<long> seen = [];

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

    [Fact]
    public void TheStackIsElsewhereInEachRequest()
    {
        int PositionsWith(int seed)
        {
            var program = new Program(typeof(Frames));
            program.Open("Positions", seed);
            for (var i = 0; i < 100; i++)
            {
                program.Ask("measure workload 1 1 0");
            }
            return int.Parse(program.Check());
        }

        // Code that is compiled anew in between has other frames: a few positions more, or a few that are the same.
        Assert.InRange(PositionsWith(seed: 0), 1, 20);
        Assert.InRange(PositionsWith(seed: 7), 80, 101);
    }
}
