// How long does it take to parse an integer? The text is a field, so the compiler cannot compute the result in advance.
//
//   tare run examples/java/Parse.java

import tare.*;

public class Parse {
    String text = "123456789";

    @Benchmark(baseline = true)
    public int parseInt() {
        return Integer.parseInt(text);
    }

    @Benchmark
    public int valueOf() {
        return Integer.valueOf(text);
    }

    @Benchmark
    public int byHand() {
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            value = value * 10 + text.charAt(i) - '0';
        }
        return value;
    }
}
