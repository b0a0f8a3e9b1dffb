// Ordinary work in Java whose cost is proportional to N by construction: all items have the same mean cost.

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import tare.Benchmark;

public class Planted {
    private static final int N = 400;
    private static final int SORTED = 4;

    int n = N;
    final Map<String, Integer> words = new HashMap<>();
    final String[] asked = IntStream.range(0, N).mapToObj(i -> "word" + i * 37 % 1500).toArray(String[]::new);
    final String[] texts = IntStream.range(0, N).mapToObj(i -> String.valueOf(100000 + i * 7919)).toArray(String[]::new);
    final int[] numbers = IntStream.range(0, N).map(i -> 100 + i * 7919 % 900).toArray();

    public Planted() {
        for (int i = 0; i < 1000; i++) {
            words.put("word" + i, i);
        }
    }

    @Benchmark
    public int lookUp() {
        int found = 0;
        for (String word : asked) {
            found += words.getOrDefault(word, 0);
        }
        return found;
    }

    @Benchmark
    public String build() {
        StringBuilder text = new StringBuilder();
        for (int number : numbers) {
            text.append(number).append(", ");
        }
        return text.toString();
    }

    @Benchmark
    public int parse() {
        int sum = 0;
        for (String text : texts) {
            sum += Integer.parseInt(text);
        }
        return sum;
    }

    /** As many as fit, four numbers each. */
    @Benchmark
    public int sort() {
        int sum = 0;
        for (int from = 0; from + SORTED <= n; from += SORTED) {
            int[] some = Arrays.copyOfRange(numbers, from, from + SORTED);
            Arrays.sort(some);
            sum += some[SORTED / 2];
        }
        return sum;
    }

    @Benchmark
    public int chain() {
        int y = n;
        for (int i = 0; i < n; i++) {
            y = y * y + i;
        }
        return y;
    }
}
