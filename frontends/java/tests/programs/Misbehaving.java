// Bodies that fail in different ways.

import java.util.ArrayList;
import java.util.List;
import tare.*;

class Misbehaving {
    int depth;

    @Benchmark
    int throwing() {
        int[] none = new int[depth];
        return none[3];
    }

    @Benchmark
    int endless() {
        return endless() + 1;
    }

    @Benchmark
    long filling() {
        List<long[]> all = new ArrayList<>();
        while (true) {
            all.add(new long[1 << 20]);
        }
    }

    @Benchmark
    void exiting() {
        System.exit(7);
    }

    @Benchmark
    void straying() throws InterruptedException {
        Thread other = new Thread(() -> {
            throw new IllegalStateException("in another thread");
        });
        other.start();
        other.join();
    }

    @Benchmark
    Object silent() {
        return new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("asked");
            }
        };
    }

    private static final class Broken {
        static final int VALUE = Integer.parseInt("none");
    }

    @Benchmark
    int wrapping() {
        return Broken.VALUE;
    }

    @Benchmark
    void locking() throws InterruptedException {
        Object left = new Object();
        Object right = new Object();
        Thread other = new Thread(() -> both(right, left));
        other.start();
        both(left, right);
        other.join();
    }

    private static void both(Object first, Object second) {
        synchronized (first) {
            try {
                Thread.sleep(50);
            } catch (InterruptedException stop) {
                return;
            }
            synchronized (second) {
                return;
            }
        }
    }
}
