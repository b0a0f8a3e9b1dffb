// The seven tasks in C#; README.md has what they are.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text.Json;
using Tare;

// The same numbers in all languages.
internal sealed class Numbers
{
    private uint state;

    public Numbers(uint seed) => state = seed;

    public int Next() => (int)(state = unchecked(state * 1103515245u + 12345u) & 0x7fffffffu);

    public T[] Make<T>(int count, Func<int, T> one) => Enumerable.Range(0, count).Select(_ => one(Next())).ToArray();
}

public class parse64
{
    private readonly string[] texts = new Numbers(1).Make(64, n => (100000000 + n % 900000000).ToString());

    [Benchmark(Description = "csharp")]
    public long Sum()
    {
        long sum = 0;
        foreach (var text in texts)
        {
            sum += int.Parse(text);
        }
        return sum;
    }
}

public class sha256
{
    private readonly byte[] data = Enumerable.Range(0, 10000).Select(i => (byte)(i % 251)).ToArray();
    private readonly SHA256 hash = SHA256.Create();

    [Benchmark(Description = "csharp")]
    public uint FirstWord()
    {
        var digest = hash.ComputeHash(data);
        return (uint)digest[0] << 24 | (uint)digest[1] << 16 | (uint)digest[2] << 8 | digest[3];
    }
}

public class sort64
{
    private readonly int[][] lists;
    private readonly int[] sorted = new int[64];

    public sort64()
    {
        var numbers = new Numbers(2);
        lists = Enumerable.Range(0, 64).Select(_ => numbers.Make(64, n => n >> 4)).ToArray();
    }

    [Benchmark(Description = "csharp")]
    public long Medians()
    {
        long sum = 0;
        foreach (var list in lists)
        {
            list.CopyTo(sorted, 0);
            Array.Sort(sorted);
            sum += sorted[32];
        }
        return sum;
    }
}

public class json
{
    private readonly string text;

    public json()
    {
        string Item(int i) =>
            $"{{\"id\":{i},\"name\":\"item {i}\",\"price\":{i}.25,\"tags\":[\"red\",\"green\"],\"active\":{(i % 2 == 0 ? "true" : "false")}}}";
        text = "[" + string.Join(",", Enumerable.Range(0, 50).Select(Item)) + "]";
    }

    [Benchmark(Description = "csharp")]
    public double Sum()
    {
        double sum = 0;
        using (var all = JsonDocument.Parse(text))
        {
            foreach (var item in all.RootElement.EnumerateArray())
            {
                sum += item.GetProperty("id").GetDouble() + item.GetProperty("price").GetDouble();
                sum += item.GetProperty("tags").GetArrayLength() + (item.GetProperty("active").GetBoolean() ? 1 : 0);
            }
        }
        return sum;
    }
}

internal sealed class Body
{
    public double X, Y, Z, Vx, Vy, Vz, Mass;
}

public class nbody
{
    private const double SolarMass = 4 * Math.PI * Math.PI;
    private const double Year = 365.24;

    private static readonly double[][] Start =
    {
        new double[] { 0, 0, 0, 0, 0, 0, 1 },
        new[]
        {
            4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03,
            7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04,
        },
        new[]
        {
            8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411542e-03,
            4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04,
        },
        new[]
        {
            1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03,
            2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05,
        },
        new[]
        {
            1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03,
            1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05,
        },
    };

    [Benchmark(Description = "csharp")]
    public double EnergyAfter()
    {
        var bodies = new Body[Start.Length];
        for (var i = 0; i < bodies.Length; i++)
        {
            var s = Start[i];
            bodies[i] = new Body
            {
                X = s[0], Y = s[1], Z = s[2], Vx = s[3] * Year, Vy = s[4] * Year, Vz = s[5] * Year, Mass = s[6] * SolarMass,
            };
        }
        for (var i = 0; i < 100; i++)
        {
            Advance(bodies, 0.01);
        }
        return Energy(bodies);
    }

    private static void Advance(Body[] bodies, double dt)
    {
        for (var i = 0; i < bodies.Length; i++)
        {
            var a = bodies[i];
            for (var j = i + 1; j < bodies.Length; j++)
            {
                var b = bodies[j];
                double dx = a.X - b.X, dy = a.Y - b.Y, dz = a.Z - b.Z;
                var square = dx * dx + dy * dy + dz * dz;
                var scale = dt / (square * Math.Sqrt(square));
                a.Vx -= dx * b.Mass * scale;
                a.Vy -= dy * b.Mass * scale;
                a.Vz -= dz * b.Mass * scale;
                b.Vx += dx * a.Mass * scale;
                b.Vy += dy * a.Mass * scale;
                b.Vz += dz * a.Mass * scale;
            }
        }
        foreach (var a in bodies)
        {
            a.X += dt * a.Vx;
            a.Y += dt * a.Vy;
            a.Z += dt * a.Vz;
        }
    }

    private static double Energy(Body[] bodies)
    {
        double sum = 0;
        for (var i = 0; i < bodies.Length; i++)
        {
            var a = bodies[i];
            sum += 0.5 * a.Mass * (a.Vx * a.Vx + a.Vy * a.Vy + a.Vz * a.Vz);
            for (var j = i + 1; j < bodies.Length; j++)
            {
                var b = bodies[j];
                double dx = a.X - b.X, dy = a.Y - b.Y, dz = a.Z - b.Z;
                sum -= a.Mass * b.Mass / Math.Sqrt(dx * dx + dy * dy + dz * dz);
            }
        }
        return sum;
    }
}

public class words
{
    private readonly string text = string.Join(" ", new Numbers(3).Make(1000, n => "word" + (n >> 8) % 50));

    [Benchmark(Description = "csharp")]
    public long Squares()
    {
        var counts = new Dictionary<string, long>();
        foreach (var word in text.Split(' '))
        {
            counts.TryGetValue(word, out var count);
            counts[word] = count + 1;
        }
        long sum = 0;
        foreach (var count in counts.Values)
        {
            sum += count * count;
        }
        return sum;
    }
}

public class fill
{
    private readonly int[] keys = new Numbers(4).Make(1000, n => (n >> 8) % 4096);

    [Benchmark(Description = "csharp")]
    public long Table()
    {
        var table = new Dictionary<int, int>();
        for (var i = 0; i < keys.Length; i++)
        {
            table.TryGetValue(keys[i], out var sum);
            table[keys[i]] = sum + i;
        }
        return table.Count * 1000000L + table[keys[0]];
    }
}
