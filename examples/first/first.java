import tare.*;

// The text is a field, so the compiler cannot compute the result in advance.
class First {
    String text = "123456789";

    @Benchmark(group = "parse", name = "Integer.parseInt")
    public int parse() {
        return Integer.parseInt(text);
    }
}
