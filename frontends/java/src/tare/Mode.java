package tare;

/** The modes of JMH. */
public enum Mode {
    Throughput,
    AverageTime,
    SampleTime,
    SingleShotTime,
    All
}
