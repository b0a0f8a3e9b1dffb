package tare.child;

/** Thrown by a set-up to skip its benchmark. */
public final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Skipped(String why) {
        super(why);
    }
}
