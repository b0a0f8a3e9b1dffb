package tare;

/** How often a set-up or clean-up runs. */
public enum Level {
    /** Once per process. */
    Trial,
    /** Before or after each timed batch of calls. */
    Iteration,
    /** Before or after each call, outside its time. */
    Invocation
}
