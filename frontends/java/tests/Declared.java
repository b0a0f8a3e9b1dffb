// What annotations of the front end mean: the tests read the list, and run each body.

import java.util.stream.IntStream;
import tare.*;

class Declared {
    enum Size {
        SMALL,
        LARGE
    }

    @State
    static class Values {
        @Param({"1", "2"})
        long n;
        @Param({"0.5"})
        double x;
        @Param
        boolean flag;
        @Param
        Size size;
    }

    @Benchmark(baseline = true, description = "one line", categories = {"a", "b"}, unit = "row", threads = 0, waits = true)
    String values(Values values) {
        return values.n + " " + values.x + " " + values.flag + " " + values.size;
    }

    @State
    static class Rows {
        int calls;

        @Setup(Level.Invocation)
        void each() {
            calls++;
        }

        @Operations
        int rows() {
            return 5;
        }

        @Rate("bytes")
        long bytes() {
            return 50;
        }
    }

    @Benchmark(items = 3)
    int rows(Rows rows) {
        return rows.calls;
    }

    @Benchmark(ownTime = true)
    long own() {
        return 77;
    }

    @Benchmark
    static int fixed() {
        return 3;
    }

    @Benchmark(skip = "needs a server")
    int skipped() {
        return 1;
    }

    @State
    static class Refusing {
        @Setup
        void look() {
            Tare.skip("no data here");
        }
    }

    @Benchmark
    int refusing(Refusing refusing) {
        return 1;
    }

    @BenchmarkMode(Mode.SingleShotTime)
    @Benchmark(results = Results.Differ)
    int single() {
        return 1;
    }

    @Benchmark
    private int hidden() {
        return 1;
    }

    @Benchmark
    IntStream lazy() {
        return IntStream.of(1);
    }

    @Benchmark
    int foreign(String text) {
        return 1;
    }

    @Benchmark(name = "fixed")
    int twice() {
        return 1;
    }

    class Inner {
        @Benchmark
        int inner() {
            return 1;
        }
    }

    @State
    static class Wrong {
        @Param({"1", "one"})
        int n;
    }

    @Benchmark
    int wrong(Wrong wrong) {
        return 1;
    }

    @Benchmark
    void blackhole(Blackhole hole) {
        hole.consume("text");
        hole.consume(1L);
        Blackhole.consumeCPU(3);
    }

    abstract static class Above {
        int value;

        @Setup
        void fill() {
            value = 1;
        }

        @Benchmark
        int inherited() {
            return value;
        }
    }

    static class Below extends Above {
        @Override
        void fill() {
            value = 2;
        }

        @Override
        int inherited() {
            return 10 * value;
        }
    }
}
