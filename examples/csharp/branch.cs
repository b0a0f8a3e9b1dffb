// The same sum of the same numbers. Where they are sorted, the processor guesses every branch; where they are not, every second one.

using System;
using System.Linq;
using Tare;

public class Branch
{
    private const int Count = 32_767;
    private int[] sorted;
    private int[] unsorted;

    [GlobalSetup]
    public void Fill()
    {
        var random = new Random(7);
        unsorted = Enumerable.Range(0, Count).Select(_ => random.Next(256)).ToArray();
        sorted = unsorted.OrderBy(n => n).ToArray();
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Count)]
    public int Sorted() => CountLarge(sorted);

    [Benchmark(OperationsPerInvoke = Count)]
    public int Unsorted() => CountLarge(unsorted);

    private static int CountLarge(int[] numbers)
    {
        var count = 0;
        foreach (var number in numbers)
        {
            if (number >= 128)
            {
                count++;
            }
        }
        return count;
    }
}
