// Ordinary work in C#, for judging the repeatability and the false alarms of the .NET front end.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json;
using Tare;

public class Kernels
{
    private readonly Dictionary<string, int> words = Enumerable.Range(0, 1000).ToDictionary(i => "word" + i);
    private readonly string[] asked = Enumerable.Range(0, 64).Select(i => "word" + (i * 37 % 1500)).ToArray();
    private readonly int[] numbers = Enumerable.Range(0, 256).Select(i => i * 7919 % 1009).ToArray();
    private readonly int[] sorted = new int[256];
    private readonly Order order = new Order { Id = 17, Name = "tea", Prices = new[] { 1.5, 2.25, 3 }, Tags = new[] { "a", "b" } };

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
        var text = new StringBuilder();
        for (var i = 0; i < 50; i++)
        {
            text.Append(i).Append(", ");
        }
        return text.ToString();
    }

    [Benchmark]
    public int Query() => numbers.Where(n => n % 3 == 0).Select(n => n * 2).OrderBy(n => n).Take(10).Sum();

    [Benchmark]
    public string Json() => JsonSerializer.Serialize(order);

    [Benchmark]
    public int Sort()
    {
        Array.Copy(numbers, sorted, numbers.Length);
        Array.Sort(sorted);
        return sorted[100];
    }

    public class Order
    {
        public int Id { get; set; }
        public string Name { get; set; }
        public double[] Prices { get; set; }
        public string[] Tags { get; set; }
    }
}
