using System.Diagnostics;
using System.Runtime.Loader;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

// Copies.exe COPIES ROUNDS: times ten bodies, each in COPIES copies of this assembly, in turn. Prints `body copy ns probe_ns`.
internal static class Program
{
    private const int VisitNs = 1_000_000;

    private static void Main(string[] arguments)
    {
        var (copies, rounds) = (int.Parse(arguments[0]), int.Parse(arguments[1]));
        var loops = Enumerable.Range(0, copies).Select(_ => Copy()).ToArray();
        var counts = new int[Bodies.All.Length];
        for (var pass = 0; pass < 5; pass++)
        {
            for (var body = 0; body < counts.Length; body++)
            {
                foreach (var copy in loops)
                {
                    WarmUp(copy[body]);
                    counts[body] = Math.Max(counts[body], (int)(VisitNs / Math.Max(1, Time(copy[body], 100) / 100)));
                }
            }

            Thread.Sleep(300);
        }

        for (var round = 0; round < rounds; round++)
        {
            for (var body = 0; body < counts.Length; body++)
            {
                for (var copy = 0; copy < copies; copy++)
                {
                    var before = Probe();
                    var ns = Time(loops[copy][body], counts[body]) / (double)counts[body];
                    Console.WriteLine($"{Bodies.All[body].Name} {copy} {ns:R} {Math.Max(before, Probe())}");
                }
            }
        }
    }

    /// <summary>The loops of a new copy of this assembly, whose code is compiled anew and placed elsewhere.</summary>
    private static Func<int, long>[] Copy()
    {
        var assembly = new AssemblyLoadContext(null).LoadFromAssemblyPath(typeof(Bodies).Assembly.Location);
        var all = assembly.GetType(nameof(Bodies))!.GetField(nameof(Bodies.All))!.GetValue(null)!;
        return (((string, Func<int, long>)[])all).Select(one => one.Item2).ToArray();
    }

    private static void WarmUp(Func<int, long> loop)
    {
        var clock = Stopwatch.StartNew();
        for (var call = 0; call < 100 || clock.ElapsedMilliseconds < 60; call++)
        {
            loop(20);
        }
    }

    private static long Time(Func<int, long> loop, int count)
    {
        var start = Stopwatch.GetTimestamp();
        loop(count);
        return (Stopwatch.GetTimestamp() - start) * 1_000_000_000 / Stopwatch.Frequency;
    }

    /// <summary>Nanoseconds of a chain of multiplications, which a neighbour on the core makes longer.</summary>
    private static long Probe()
    {
        var start = Stopwatch.GetTimestamp();
        var x = 1UL;
        for (var i = 0; i < 20_000; i++)
        {
            x = (x * 6364136223846793005) + 1;
        }

        return x == 0 ? 0 : (Stopwatch.GetTimestamp() - start) * 1_000_000_000 / Stopwatch.Frequency;
    }
}

public static class Bodies
{
    private static readonly Dictionary<string, int> Words = Enumerable.Range(0, 1000).ToDictionary(i => "word" + i);
    private static readonly string[] Asked = Enumerable.Range(0, 64).Select(i => "word" + (i * 37 % 1500)).ToArray();
    private static readonly int[] Numbers = Enumerable.Range(0, 256).Select(i => i * 7919 % 1009).ToArray();
    private static readonly int[] Sorted = new int[256];
    private static readonly string Line = string.Join(' ', Enumerable.Range(0, 40).Select(i => "w" + i));
    private static readonly Order Tea = new(17, "tea", [1.5, 2.25, 3], ["a", "b"]);
    private static readonly Regex Pattern = new("[a-z]+[0-9]");

    public static readonly (string Name, Func<int, long> Loop)[] All =
    [
        ("sum", n => { long all = 0; for (var i = 0; i < n; i++) { all += Sum(); } return all; }),
        ("crc", n => { long all = 0; for (var i = 0; i < n; i++) { all += Crc(); } return all; }),
        ("look-up", n => { long all = 0; for (var i = 0; i < n; i++) { all += LookUp(); } return all; }),
        ("build", n => { long all = 0; for (var i = 0; i < n; i++) { all += Build(); } return all; }),
        ("query", n => { long all = 0; for (var i = 0; i < n; i++) { all += Query(); } return all; }),
        ("json", n => { long all = 0; for (var i = 0; i < n; i++) { all += Json(); } return all; }),
        ("sort", n => { long all = 0; for (var i = 0; i < n; i++) { all += Sort(); } return all; }),
        ("regex", n => { long all = 0; for (var i = 0; i < n; i++) { all += Matches(); } return all; }),
        ("nodes", n => { long all = 0; for (var i = 0; i < n; i++) { all += Nodes(); } return all; }),
        ("format", n => { long all = 0; for (var i = 0; i < n; i++) { all += Format(); } return all; }),
    ];

    private static int Sum()
    {
        var sum = 0;
        foreach (var number in Numbers)
        {
            sum += number;
        }

        return sum;
    }

    private static uint Crc()
    {
        var crc = 1u;
        foreach (var number in Numbers)
        {
            crc = (crc >> 1) ^ ((crc & 1) * 0xEDB88320) ^ (uint)number;
        }

        return crc;
    }

    private static int LookUp()
    {
        var found = 0;
        foreach (var word in Asked)
        {
            found += Words.TryGetValue(word, out var value) ? value : 0;
        }

        return found;
    }

    private static int Build()
    {
        var text = new StringBuilder();
        for (var i = 0; i < 50; i++)
        {
            text.Append(i).Append(", ");
        }

        return text.Length;
    }

    private static int Query() => Numbers.Where(n => n % 3 == 0).Select(n => n * 2).OrderBy(n => n).Take(10).Sum();

    private static int Json() => JsonSerializer.Serialize(Tea).Length;

    private static int Sort()
    {
        Array.Copy(Numbers, Sorted, Numbers.Length);
        Array.Sort(Sorted);
        return Sorted[100];
    }

    private static int Matches() => Pattern.Count(Line);

    private static int Nodes()
    {
        Node? head = null;
        for (var i = 0; i < 40; i++)
        {
            head = new Node(head, i);
        }

        var sum = 0;
        for (; head != null; head = head.Next)
        {
            sum += head.Value;
        }

        return sum;
    }

    private static int Format()
    {
        var length = 0;
        for (var i = 0; i < 20; i++)
        {
            length += $"{i}:{i * 1.5:F2}".Length;
        }

        return length;
    }

    private sealed record Order(int Id, string Name, double[] Prices, string[] Tags);

    private sealed record Node(Node? Next, int Value);
}
