// Ten lines: a class with two benchmarks, each measured with two values of a parameter.
//
//   tare run frontends/java/examples/E01Sorting.java

import java.util.Arrays;
import tare.*;

public class E01Sorting {
    @Param({"10", "1000"}) int n;
    int[] numbers;

    @Setup public void fill() { numbers = new java.util.Random(1).ints(n).toArray(); }

    @Benchmark(baseline = true) public int[] copied() { int[] copy = numbers.clone(); Arrays.sort(copy); return copy; }
    @Benchmark public int[] streamed() { return Arrays.stream(numbers).sorted().toArray(); }
}
