package tare.child;

/** The loops of one benchmark, in a generated class of their own, so that benchmarks do not share call profiles. */
public abstract class Loop {
    /** Runs a number of invocations. Returns the sum of the times that a body with its own time reports. */
    public abstract long run(LoopState state, long invocations);

    public abstract Object once(LoopState state);
}
