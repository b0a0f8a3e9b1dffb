package shop;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Its subclasses have the benchmarks. */
@State(Scope.Benchmark)
public abstract class Base {
    protected int made;

    abstract int price();

    @Setup
    public void make() {
        made = price();
    }

    @Benchmark
    public int inherited() {
        return made;
    }
}
