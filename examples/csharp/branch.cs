// The same sum of the same numbers. If they are sorted, the processor predicts every branch; if they are not, it predicts every second one.
// A sum without a branch takes the same time for both.

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

    [Benchmark(OperationsPerInvoke = Count)]
    public int SortedWithoutBranch() => CountWithoutBranch(sorted);

    [Benchmark(OperationsPerInvoke = Count)]
    public int UnsortedWithoutBranch() => CountWithoutBranch(unsorted);

    private static int CountWithoutBranch(int[] numbers)
    {
        var count = 0;
        foreach (var number in numbers)
        {
            // The sign of the difference, as 0 or 1.
            count += 1 + ((number - 128) >> 31);
        }
        return count;
    }

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
