// Bodies of 0.05 to 50 ms that create garbage, each with an identical twin: the only right verdict is `same`.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Tare;

public class Texts
{
    [Benchmark(Baseline = true)] public int Base() => Work();
    [Benchmark] public int Twin() => Work();

    private static int Work()
    {
        var text = new StringBuilder();
        for (var i = 0; i < 600; i++)
        {
            text.Append("item ").Append(i).Append(';');
        }
        return text.ToString().Split(';').Length;
    }
}

public class Trees
{
    private sealed class Node
    {
        internal Node Left, Right;
    }

    [Benchmark(Baseline = true)] public int Base() => Count(Grow(13));
    [Benchmark] public int Twin() => Count(Grow(13));

    private static Node Grow(int depth) => depth == 0 ? null : new Node { Left = Grow(depth - 1), Right = Grow(depth - 1) };
    private static int Count(Node node) => node == null ? 0 : 1 + Count(node.Left) + Count(node.Right);
}

public class Groups
{
    private readonly string[] words = Enumerable.Range(0, 8000).Select(i => "word" + ((i * 7919) % 1500)).ToArray();

    [Benchmark(Baseline = true)] public int Base() => Work();
    [Benchmark] public int Twin() => Work();

    private int Work() => words.Select(w => w + "s").GroupBy(w => w).ToDictionary(g => g.Key, g => g.ToList()).Count;
}

public class Rows
{
    private readonly string text = string.Join("\n", Enumerable.Range(0, 3000).Select(r => string.Join(",", Enumerable.Range(r, 5))));

    [Benchmark(Baseline = true)] public int Base() => Work();
    [Benchmark] public int Twin() => Work();

    private int Work()
    {
        var html = new StringBuilder();
        foreach (var line in text.Split('\n'))
        {
            html.Append("<tr><td>").Append(string.Join("</td><td>", line.Split(',').Select(cell => cell.PadLeft(6)))).Append("</td></tr>");
        }
        return html.ToString().Length;
    }
}

public class Kept
{
    private sealed class Entry
    {
        internal int Key;
        internal string Name;
        internal int[] Values;
    }

    [Benchmark(Baseline = true)] public int Base() => Work();
    [Benchmark] public int Twin() => Work();

    private static int Work()
    {
        var all = new Dictionary<int, Entry>();
        for (var i = 0; i < 40000; i++)
        {
            all[i * 31] = new Entry { Key = i, Name = i.ToString(), Values = new int[12] };
        }
        return all.Values.Sum(entry => entry.Name.Length + entry.Values.Length);
    }
}

public class Many
{
    [Benchmark(Baseline = true)] public int Base() => Work();
    [Benchmark] public int Twin() => Work();

    private static int Work() => Enumerable.Range(0, 250000).Select(i => new { Key = i % 997, Text = i.ToString() }).GroupBy(x => x.Key)
        .Sum(g => g.Select(x => x.Text).OrderBy(x => x.Length).First().Length);
}
