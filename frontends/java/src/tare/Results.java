package tare;

/** How results are expected to relate. */
public enum Results {
    /** All benchmarks of a group return the same result in every call. */
    Same,
    /** Each call returns a different result. */
    Change,
    /** The benchmarks of a group return different results. */
    Differ
}
