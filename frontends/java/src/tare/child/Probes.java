package tare.child;

/** Loops of known work. Rotations between the additions, and an addend from a field, keep the compiler from folding them. */
final class Probes {
    static final int CHAIN_TURNS = 512;
    /** Steps of the clock probe: dependent, so one cycle each. */
    static final int CHAIN_STEPS = CHAIN_TURNS * 32;
    /** Steps of the width probe, in six independent chains. */
    static final int WIDTH_STEPS = 14400;

    /** An upper bound of the steps per cycle of any core. */
    private static final double STEPS_MAX = 10;
    /** The maximum number of warm-up attempts. */
    private static final int TRIES = 5;

    private static int operand = 0x9E3779B9;
    private static volatile int sink = 3;

    private Probes() {
    }

    static void chain(int turns) {
        int k = operand;
        int x = sink;
        for (int turn = 0; turn < turns; turn++) {
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
            x = Integer.rotateLeft(x + k, 7);
        }
        sink = x;
    }

    static void width() {
        int k = operand;
        int a = sink;
        int b = a + 1;
        int c = a + 2;
        int d = a + 3;
        int e = a + 4;
        int f = a + 5;
        for (int turn = 0; turn < WIDTH_STEPS / 48; turn++) {
            a = Integer.rotateLeft(a + k, 7);
            b = Integer.rotateLeft(b + k, 7);
            c = Integer.rotateLeft(c + k, 7);
            d = Integer.rotateLeft(d + k, 7);
            e = Integer.rotateLeft(e + k, 7);
            f = Integer.rotateLeft(f + k, 7);
            a = (a + k) ^ k;
            b = (b + k) ^ k;
            c = (c + k) ^ k;
            d = (d + k) ^ k;
            e = (e + k) ^ k;
            f = (f + k) ^ k;
            a = Integer.rotateLeft(a + k, 7);
            b = Integer.rotateLeft(b + k, 7);
            c = Integer.rotateLeft(c + k, 7);
            d = Integer.rotateLeft(d + k, 7);
            e = Integer.rotateLeft(e + k, 7);
            f = Integer.rotateLeft(f + k, 7);
            a = (a + k) ^ k;
            b = (b + k) ^ k;
            c = (c + k) ^ k;
            d = (d + k) ^ k;
            e = (e + k) ^ k;
            f = (f + k) ^ k;
        }
        sink = a ^ b ^ c ^ d ^ e ^ f;
    }

    /** The time of the clock probe in ns. */
    static long chainNs() {
        // The code of the probe and of the clock is cold after a pause.
        System.nanoTime();
        chain(2);
        long begin = System.nanoTime();
        chain(CHAIN_TURNS);
        return System.nanoTime() - begin;
    }

    /** Has the probes compiled in their final form: as whole methods, and therefore with many calls. */
    static void warm() {
        for (int tries = 0; tries < TRIES && (tries == 0 || !canBe()); tries++) {
            for (int i = 0; i < 3000; i++) {
                chain(16);
                width();
            }
            Compiler.await(200);
            for (int i = 0; i < 64; i++) {
                chain(16);
                width();
            }
        }
    }

    /** Whether the number of steps per cycle is possible; more means that the clock probe is not in its final code yet. */
    private static boolean canBe() {
        long chainNs = Long.MAX_VALUE;
        long widthNs = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            chainNs = Math.min(chainNs, chainNs());
            long begin = System.nanoTime();
            width();
            widthNs = Math.min(widthNs, System.nanoTime() - begin);
        }
        return (double) WIDTH_STEPS * chainNs <= STEPS_MAX * CHAIN_STEPS * widthNs;
    }
}
