package tare;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A method that is measured. The benchmarks of a class are a group: they are compared with each other. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Benchmark {
    /** The name; without it, the name of the method. */
    String name() default "";

    /** The group; without it, the class. */
    String group() default "";

    /** The others of its group are compared with it. */
    boolean baseline() default false;

    /** One line about it. */
    String description() default "";

    /** For filters. */
    String[] categories() default {};

    /** Diagnosers that look at it in every run, as {@code tare run --diagnose} has them look at all. */
    String[] diagnose() default {};

    /** How its calls become measurements. */
    Strategy strategy() default Strategy.Throughput;

    /** What is expected of the results of contestants and of calls. */
    Results results() default Results.Same;

    /** Bytes that a call processes: shown per second. */
    long bytes() default 0;

    /** Items that a call processes: shown per second. */
    long items() default 0;

    /** What an operation is called. */
    String unit() default "";

    /** Threads that the body starts or uses. 0: unknown. */
    int threads() default 1;

    /** The body blocks: it sleeps, or waits for others. Only wall time counts. */
    boolean waits() default false;

    /** The method returns how many nanoseconds it took, and this is its time. */
    boolean ownTime() default false;

    /** Why it is not measured. */
    String skip() default "";
}
