package tare.child;

/** A request that gets an `error` reply. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    final String kind;

    Refused(String kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }
}
