package tare;

import tare.child.Compared;
import tare.child.Sink;

/** Consumes values that a body does not return, so that the compiler cannot remove their computation. */
public final class Blackhole {
    /** Creates a blackhole. Called by the front end, which passes one to bodies that take it. */
    public Blackhole() {
    }

    public void consume(Object value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(boolean value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(byte value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(char value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(short value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(int value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(long value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(float value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    public void consume(double value) {
        if (Sink.IS_KNOWN) {
            Sink.keep(value);
        } else {
            Compared.keep(value);
        }
    }

    /** Does an amount of work that depends only on {@code tokens}. */
    public static void consumeCPU(long tokens) {
        long x = tokens;
        for (long i = tokens; i > 0; i--) {
            x += x * 0x5DEECE66DL + 0xBL + i & 0xFFFFFFFFFFFFL;
        }
        if (Sink.IS_KNOWN) {
            Sink.keep(x);
        } else {
            Compared.keep(x);
        }
    }
}
