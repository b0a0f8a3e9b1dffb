// Set-up and clean-up. `[GlobalSetup]` runs once in each process. `[IterationSetup]` runs before each iteration, which is then a single
// call: sorting numbers that are already sorted would be a different benchmark.

using System;
using System.Linq;
using Tare;

public class Sort
{
    private int[] shuffled;
    private int[] numbers;

    [Params(10_000)]
    public int Count;

    [GlobalSetup]
    public void Shuffle()
    {
        var random = new Random(1);
        shuffled = Enumerable.Range(0, Count).OrderBy(_ => random.Next()).ToArray();
        numbers = new int[Count];
    }

    [IterationSetup]
    public void Copy() => shuffled.CopyTo(numbers, 0);

    [GlobalCleanup]
    public void Drop() => numbers = null;

    [Benchmark]
    public void InPlace() => Array.Sort(numbers);
}
