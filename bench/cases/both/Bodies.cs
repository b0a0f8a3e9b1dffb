// Ordinary bodies, which BenchmarkDotNet and Tare measure from one build (bench/benchmarkdotnet).

using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Running;
using CommunityToolkit.HighPerformance;
using CommunityToolkit.HighPerformance.Buffers;

BenchmarkSwitcher.FromAssembly(typeof(Numbers).Assembly).Run(args);

[MemoryDiagnoser]
public class Numbers
{
    private readonly string text = "123456789";
    private readonly int[] values = Enumerable.Range(0, 1000).Select(i => i * 7919 % 1000).ToArray();
    private readonly double[] reals = Enumerable.Range(1, 200).Select(i => i * 0.37).ToArray();

    [Benchmark] public int Parse() => int.Parse(text);
    [Benchmark] public string Format() => 123456789.ToString();
    [Benchmark] public long Sum() { long sum = 0; foreach (var value in values) sum += value; return sum; }
    [Benchmark] public double Roots() { double sum = 0; foreach (var real in reals) sum += Math.Sqrt(real) / 3; return sum; }
    [Benchmark] public int[] Sort() { var copy = (int[])values.Clone(); Array.Sort(copy); return copy; }
    [Benchmark] public int Linq() => values.Where(value => (value & 1) == 0).Select(value => value * 3).Sum();
}

[MemoryDiagnoser]
public class Collections
{
    private readonly Dictionary<string, int> ages = Enumerable.Range(0, 500).ToDictionary(i => "name" + i, i => i);
    private readonly string[] names = Enumerable.Range(0, 500).Select(i => "name" + i).ToArray();

    [Benchmark] public int LookUp() { var sum = 0; foreach (var name in names) sum += ages[name]; return sum; }
    [Benchmark] public List<int> Grow() { var list = new List<int>(); for (var i = 0; i < 100; i++) list.Add(i); return list; }
    [Benchmark] public byte[] Bytes() => new byte[64];
    [Benchmark] public HashSet<int> Distinct() { var set = new HashSet<int>(); for (var i = 0; i < 200; i++) set.Add(i % 50); return set; }
}

[MemoryDiagnoser]
public class Strings
{
    private readonly string csv = string.Join(',', Enumerable.Range(1000, 100));
    private readonly Regex pattern = new Regex(@"[a-f]+\d", RegexOptions.Compiled);
    private readonly string words = string.Concat(Enumerable.Repeat("zzabc1 ", 50));
    private readonly byte[] data = Enumerable.Range(0, 1024).Select(i => (byte)i).ToArray();

    [Benchmark] public string[] Split() => csv.Split(',');
    [Benchmark] public string Build() { var builder = new StringBuilder(); for (var i = 0; i < 100; i++) builder.Append(i); return builder.ToString(); }
    [Benchmark] public int Matches() => pattern.Count(words);
    [Benchmark] public byte[] Hash() => SHA256.HashData(data);
    [Benchmark] public string Upper() => csv.ToUpperInvariant();
}

[MemoryDiagnoser]
public class Calls
{
    private readonly object gate = new object();
    private int count;

    [Benchmark] public int Lock() { lock (gate) { return ++count; } }
    [Benchmark] public async Task<int> Await() { var sum = 0; for (var i = 0; i < 50; i++) sum += await Later(i); return sum; }
    [Benchmark] public int Catch() { try { throw new InvalidOperationException(); } catch (InvalidOperationException) { return 1; } }
    [Benchmark] public int Closure() { var n = count; Func<int> next = () => n + 1; return next(); }

    private static async Task<int> Later(int i) { await Task.CompletedTask; return i + 1000; }
}

public record Person(string Name, int Age, string[] Tags);

[MemoryDiagnoser]
public class Libraries
{
    private readonly Person[] people = Enumerable.Range(0, 20).Select(i => new Person("name" + i, 20 + i, new[] { "a", "b" })).ToArray();
    private readonly string json;
    private readonly int[,] table = new int[64, 64];
    private readonly StringPool pool = new StringPool();
    private readonly string line = string.Join(' ', Enumerable.Range(0, 60).Select(i => "word" + (i % 12)));

    public Libraries() => json = JsonSerializer.Serialize(people);

    [Benchmark] public string SystemTextJson() => JsonSerializer.Serialize(people);
    [Benchmark] public Person[] SystemTextJsonRead() => JsonSerializer.Deserialize<Person[]>(json);
    [Benchmark] public string Newtonsoft() => global::Newtonsoft.Json.JsonConvert.SerializeObject(people);
    [Benchmark] public Person[] NewtonsoftRead() => global::Newtonsoft.Json.JsonConvert.DeserializeObject<Person[]>(json);
    [Benchmark] public int ToolkitColumn() { var sum = 0; foreach (var value in table.GetColumn(7)) sum += value; return sum; }
    [Benchmark] public int ToolkitTokens() { var length = 0; foreach (var word in line.Tokenize(' ')) length += pool.GetOrAdd(word).Length; return length; }
}
