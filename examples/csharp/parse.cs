// How long does it take to read an integer? The result is returned, and the input is a field: the compiler can neither leave out the
// call nor compute it beforehand.
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
