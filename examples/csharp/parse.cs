// How long does it take to parse an integer? The result is returned, and the input is a field, so the compiler can neither remove the
// call nor compute it in advance.
//
//   tare run examples/csharp/parse.cs

using Tare;

public class Parse
{
    public string Text = "123456789";

    [Benchmark(Baseline = true)]
    public int Library() => int.Parse(Text);

    [Benchmark]
    public int ByHand()
    {
        var value = 0;
        foreach (var digit in Text)
        {
            value = value * 10 + (digit - '0');
        }
        return value;
    }
}
