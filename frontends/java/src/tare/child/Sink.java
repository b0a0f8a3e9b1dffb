package tare.child;

/**
 * The sink for results. From JDK 17 on, the compiler is told to keep the arguments of these methods (`CompileCommand=blackhole`), which works only
 * for empty methods. Before that, and if it was not told, {@link Compared} is called instead.
 */
public final class Sink {
    /** Whether this process was started with that option. */
    public static final boolean IS_KNOWN = Boolean.getBoolean("tare.blackhole");

    private Sink() {
    }

    public static void keep(Object value) {
    }

    public static void keep(boolean value) {
    }

    public static void keep(byte value) {
    }

    public static void keep(char value) {
    }

    public static void keep(short value) {
    }

    public static void keep(int value) {
    }

    public static void keep(long value) {
    }

    public static void keep(float value) {
    }

    public static void keep(double value) {
    }
}
