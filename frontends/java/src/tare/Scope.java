package tare;

/** Who shares a state. One thread runs the body, so all of them are the same. */
public enum Scope {
    Benchmark,
    Thread,
    Group
}
