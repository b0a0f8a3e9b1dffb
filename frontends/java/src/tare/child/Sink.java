package tare.child;

/**
 * Where results go. From JDK 17 on the compiler is told to keep what these methods are called with (`CompileCommand=blackhole`), which it does only
 * for methods without code. Before, and where it was not told, {@link Compared} is called in their place.
 */
public final class Sink {
    /** Whether the start of this process told the compiler. */
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
