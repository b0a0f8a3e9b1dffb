// A benchmark for each feature of JMH, as its users write them.

package shop;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

@State(Scope.Thread)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@BenchmarkMode({Mode.AverageTime, Mode.Throughput})
public class Features {
    private double x = Math.PI;

    @Benchmark
    public double field() {
        return Math.log(x);
    }

    @Benchmark
    public void blackhole(Blackhole hole) {
        hole.consume(Math.log(x));
        Blackhole.consumeCPU(1);
    }

    public enum Kind {
        SMALL,
        LARGE
    }

    @State(Scope.Benchmark)
    public static class Shelf {
        @Param({"3", "5"})
        public int size;
        @Param
        public Kind kind;
        public int filled;

        @Setup(Level.Trial)
        public void fill() {
            filled = kind == Kind.LARGE ? 100 * size : size;
        }
    }

    /** Needs another state. */
    @State(Scope.Thread)
    public static class Basket {
        public int sum;
        public String steps = "";

        @Setup(Level.Trial)
        public void take(Shelf shelf) {
            sum = shelf.filled;
            steps += "T";
        }

        @Setup(Level.Iteration)
        public void begin() {
            steps += "I";
        }

        @Setup(Level.Invocation)
        public void each() {
            steps += "v";
        }

        @TearDown(Level.Iteration)
        public void end() {
            steps += "i";
        }
    }

    @Benchmark
    public String states(Basket basket) {
        return basket.sum + basket.steps;
    }

    @Benchmark
    @OperationsPerInvocation(10)
    public int operations() {
        int sum = (int) x;
        for (int i = 0; i < 10; i++) {
            sum += i;
        }
        return sum;
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 0)
    public double single() {
        return x;
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    public double repeated() {
        return x;
    }

    @Benchmark
    @Fork(value = 1, jvmArgsAppend = {"-Dshop.open=yes", "-Xmx200m"})
    public String forked() {
        return System.getProperty("shop.open");
    }

    @Benchmark
    @Threads(4)
    public double threads() {
        return x;
    }

    @Benchmark
    @Group("pair")
    public double grouped() {
        return x;
    }

    @Benchmark
    public String params(BenchmarkParams params) {
        return params.getBenchmark();
    }
}
