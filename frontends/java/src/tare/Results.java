package tare;

/** What is expected of results. */
public enum Results {
    /** All contestants of a group return the same, in each call. */
    Same,
    /** Each call returns something else. */
    Change,
    /** The contestants of a group return something else each. */
    Differ
}
