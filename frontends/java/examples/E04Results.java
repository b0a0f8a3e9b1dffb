// What keeps the compiler from leaving the body out: a result is returned, or given to a blackhole.
//
//   tare run frontends/java/examples/E04Results.java

import tare.*;

public class E04Results {
    double x = 42;
    int[] numbers = {5, 3, 1, 4};

    /** Its result is kept. What it reads is a field, so it cannot be computed once for all. */
    @Benchmark
    public double returned() {
        return Math.log(x);
    }

    /** Several values. */
    @Benchmark
    public void consumed(Blackhole hole) {
        for (int number : numbers) {
            hole.consume(Math.log(number));
        }
    }

    /** Nothing is left of it: the finding `optimised-away` says so. */
    @Benchmark
    public void forgotten() {
        int sum = 0;
        for (int number : numbers) {
            sum += number * number;
        }
    }
}
