// Which way to parse a number is faster? `tare run` measures both and says so.
using Tare;

public class Parse
{
    public string Text = "123456789";

    [Benchmark(Baseline = true)]
    public int Library() => int.Parse(Text);

    [Benchmark]
    public int ByHand()
    {
        var number = 0;
        foreach (var digit in Text) number = number * 10 + (digit - '0');
        return number;
    }
}
