package tare;

/** How the calls of a benchmark become measurements. */
public enum Strategy {
    /** Many calls in a batch, when the process is warm. */
    Throughput,
    /** Single calls, for bodies that take long or change by design. */
    Monitoring,
    /** The first call of a process. */
    ColdStart
}
