// Keeping the compiler from removing the body: return the result, or pass it to a blackhole.
//
//   tare run frontends/java/examples/E04Results.java

import tare.*;

public class E04Results {
    double x = 42;
    int[] numbers = {5, 3, 1, 4};

    /** The result is kept. The input is a field, so it cannot be precomputed. */
    @Benchmark
    public double returned() {
        return Math.log(x);
    }

    /** Keeps several values. */
    @Benchmark
    public void consumed(Blackhole hole) {
        for (int number : numbers) {
            hole.consume(Math.log(number));
        }
    }

    /** Keeps nothing: the finding `optimised-away` reports that. */
    @Benchmark
    public void forgotten() {
        int sum = 0;
        for (int number : numbers) {
            sum += number * number;
        }
    }
}
