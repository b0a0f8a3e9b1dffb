package tare;

/** Modes of JMH. */
public enum Mode {
    Throughput,
    AverageTime,
    SampleTime,
    SingleShotTime,
    All
}
