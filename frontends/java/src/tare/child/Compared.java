package tare.child;

/** The sink for results if the compiler was not told to keep them: compares them with values that it cannot know. */
public final class Compared {
    private static volatile long first = 0x5DEECE66DL;
    private static volatile long second = first + 1;
    private static volatile double firstNumber = 1.25e-301;
    private static volatile double secondNumber = firstNumber + Math.ulp(firstNumber);
    private static int draw = 0x2F6E2B1;
    private static int mask = 1;
    private static volatile Object escape;

    private Compared() {
    }

    /** A new object equals no known one, so objects are stored at exponentially growing intervals that the compiler cannot predict. */
    public static void keep(Object value) {
        draw = draw * 1664525 + 1013904223;
        if ((draw & mask) == 0) {
            escape = value;
            mask = (mask << 1) + 1;
            escape = null;
        }
    }

    /** A value that equals two different ones would be stored. */
    public static void keep(long value) {
        if (value == first & value == second) {
            escape = value;
        }
    }

    public static void keep(double value) {
        if (value == firstNumber & value == secondNumber) {
            escape = value;
        }
    }

    public static void keep(boolean value) {
        keep(value ? 1L : 0L);
    }

    public static void keep(byte value) {
        keep((long) value);
    }

    public static void keep(char value) {
        keep((long) value);
    }

    public static void keep(short value) {
        keep((long) value);
    }

    public static void keep(int value) {
        keep((long) value);
    }

    public static void keep(float value) {
        keep((double) value);
    }
}
