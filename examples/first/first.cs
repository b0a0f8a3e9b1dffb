using Tare;

// The text is a field, so the compiler cannot compute the result in advance. The class is the group.
public class parse
{
    public string Text = "123456789";

    [Benchmark(Description = "int.Parse")]
    public int Library() => int.Parse(Text);
}
