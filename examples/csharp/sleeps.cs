// Bodies with two and three typical times. `-v` shows their histograms: a mean would be a time that never happens.

using System;
using System.Threading;
using Tare;

[Setting(Strategy.Monitoring)]
public class Sleeps
{
    private readonly Random random = new Random(3);

    [Benchmark]
    public void TwoModes() => Thread.Sleep(random.Next(2) == 0 ? 1 : 4);

    [Benchmark]
    public void ThreeModes() => Thread.Sleep(1 + 3 * random.Next(3));
}
