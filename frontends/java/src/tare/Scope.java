package tare;

/** The scope of a state. One thread runs the body, so all scopes are equivalent. */
public enum Scope {
    Benchmark,
    Thread,
    Group
}
