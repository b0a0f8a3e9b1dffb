package tare.child;

/** What a generated loop reads. */
public final class LoopState {
    /** The instance; null: the body is static. */
    public Object target;
    /** States and blackholes. */
    public Object[] arguments;
    /**
     * Read in each turn, and never true. The compiler must read again behind it what the body reads of fields, so it cannot compute an
     * invocation once for all.
     */
    public volatile boolean isOver;
}
