// Ordinary work in C# whose cost is proportional to N by construction: all items have the same mean cost.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json;
using Tare;

public class Planted
{
    private const int N = 400;
    private const int Sorted = 4;

    private readonly Dictionary<string, int> words = Enumerable.Range(0, 1000).ToDictionary(i => "word" + i);
    private readonly string[] asked = Enumerable.Range(0, N).Select(i => "word" + (i * 37 % 1500)).ToArray();
    private readonly int[] numbers = Enumerable.Range(0, N).Select(i => 100 + (i * 7919 % 900)).ToArray();
    private readonly int[] some = new int[Sorted];
    private readonly Dictionary<int, int> squares = Enumerable.Range(0, 1000).ToDictionary(i => i, i => i * i);
    private readonly string[] texts = Enumerable.Range(0, N).Select(i => (100000 + (i * 7919)).ToString()).ToArray();
    private readonly Shape[] shapes = Enumerable.Range(0, N).Select(i => i % 3 == 0 ? (Shape)new Square(i) : new Disc(i)).ToArray();

    [Benchmark]
    public int LookUp()
    {
        var found = 0;
        foreach (var word in asked)
        {
            found += words.TryGetValue(word, out var value) ? value : 0;
        }
        return found;
    }

    [Benchmark]
    public string Build()
    {
        var text = new StringBuilder(5 * N);
        foreach (var number in numbers)
        {
            text.Append(number).Append(", ");
        }
        return text.ToString();
    }

    [Benchmark]
    public int Query() => numbers.Where(n => n % 3 == 0).Select(n => n * 2).Sum();

    [Benchmark]
    public string Json() => JsonSerializer.Serialize(numbers);

    /// <summary>As many as fit, four numbers each.</summary>
    [Benchmark]
    public int Sort()
    {
        var sum = 0;
        for (var from = 0; from + Sorted <= N; from += Sorted)
        {
            Array.Copy(numbers, from, some, 0, Sorted);
            Array.Sort(some);
            sum += some[Sorted / 2];
        }
        return sum;
    }

    [Benchmark]
    public int LookUpNumbers()
    {
        var sum = 0;
        foreach (var number in numbers)
        {
            sum += squares[number];
        }
        return sum;
    }

    [Benchmark]
    public long Parse()
    {
        long sum = 0;
        foreach (var text in texts)
        {
            sum += int.Parse(text);
        }
        return sum;
    }

    [Benchmark]
    public int Call()
    {
        var sum = 0;
        foreach (var shape in shapes)
        {
            sum += shape.Area();
        }
        return sum;
    }

    private abstract class Shape
    {
        public abstract int Area();
    }

    private sealed class Square : Shape
    {
        private readonly int side;

        public Square(int side) => this.side = side;

        public override int Area() => side * side;
    }

    private sealed class Disc : Shape
    {
        private readonly int radius;

        public Disc(int radius) => this.radius = radius;

        public override int Area() => 3 * radius * radius;
    }
}
