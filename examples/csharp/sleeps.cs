// Bodies with one to four typical times. `-v` shows their histograms. The mean would be a time that never occurs; the finding
// `multimodal` lists the times that do.

using System;
using System.Threading;
using Tare;

[Setting(Strategy.Monitoring)]
public class Sleeps
{
    private readonly Random random = new Random(42);

    [Benchmark]
    public void OneMode() => Sleep(1);

    [Benchmark]
    public void TwoModes() => Sleep(2);

    [Benchmark]
    public void ThreeModes() => Sleep(3);

    [Benchmark]
    public void FourModes() => Sleep(4);

    private void Sleep(int modes) => Thread.Sleep(1 + 4 * random.Next(modes));
}
