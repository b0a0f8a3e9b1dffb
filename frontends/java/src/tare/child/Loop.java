package tare.child;

/** The loops around one benchmark: a generated class each, so that no two benchmarks share what the compiler learns of a call. */
public abstract class Loop {
    /** Runs this number of invocations. Returns the sum of the times that a body with its own time reports. */
    public abstract long run(LoopState state, long invocations);

    /** One invocation, with what it returned. */
    public abstract Object once(LoopState state);
}
