package tare.child;

/** A set-up says that its benchmark should not be measured here. */
public final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Skipped(String why) {
        super(why);
    }
}
