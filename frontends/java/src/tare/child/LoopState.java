package tare.child;

/** The inputs of a generated loop. */
public final class LoopState {
    /** The instance; null for a static body. */
    public Object target;
    /** States and blackholes. */
    public Object[] arguments;
    /**
     * Read in each turn, and never true. After this volatile read, the compiler has to read the fields of the body again, so it cannot
     * compute an invocation once for all.
     */
    public volatile boolean isOver;
}
