package tare;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares a method as a benchmark. The benchmarks of a class form a group and are compared with each other. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Benchmark {
    /** The name; by default the name of the method. */
    String name() default "";

    /** The group; by default the class. */
    String group() default "";

    /** Whether the other benchmarks of the group are compared with this one. */
    boolean baseline() default false;

    /** A description of one line. */
    String description() default "";

    /** Categories for filters. */
    String[] categories() default {};

    /** Diagnosers to run for this benchmark in every run, as {@code tare run --diagnose} does for all. */
    String[] diagnose() default {};

    /** How calls become measurements. */
    Strategy strategy() default Strategy.Throughput;

    /** How results are expected to relate between calls and between the benchmarks of a group. */
    Results results() default Results.Same;

    /** Bytes processed per call, shown per second. */
    long bytes() default 0;

    /** Items processed per call, shown per second. */
    long items() default 0;

    /** The name of an operation. */
    String unit() default "";

    /** Threads that the body uses; 0 if unknown. */
    int threads() default 1;

    /** Whether the body blocks (sleeps, or waits for others), so that only wall time counts. */
    boolean waits() default false;

    /** Whether the method returns its own time in nanoseconds. */
    boolean ownTime() default false;

    /** The reason to skip the benchmark, if not empty. */
    String skip() default "";
}
