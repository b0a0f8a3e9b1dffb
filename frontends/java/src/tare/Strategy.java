package tare;

/** How the calls of a benchmark become measurements. */
public enum Strategy {
    /** Batches of many calls in a warm process. */
    Throughput,
    /** Single calls, for bodies that take long or change by design. */
    Monitoring,
    /** The first call in a process. */
    ColdStart
}
