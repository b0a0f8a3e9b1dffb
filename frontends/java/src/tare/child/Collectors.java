package tare.child;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The activity of the garbage collectors, and the size of the young generation. */
final class Collectors {
    /** Positions of the counters of young and of all collections; -1 if there are none. */
    private static final int YOUNG_AT = place(0, " young collection pauses");
    private static final int FULL_AT = place(1, " full collection pauses");
    private static final boolean ARE_COUNTED = YOUNG_AT >= 0 && FULL_AT >= 0;

    /** Position of the counter with the size of the young generation. */
    private static final int SIZE_AT = Counters.place("sun.gc.generation.0.space.0.capacity");

    /** Bytes of garbage: the maximum, the size of a piece, and the number of pieces between checks. */
    private static final long YOUNG_MAX = 4L << 30;
    private static final int PIECE = 8000;
    private static final int LOOK = 128;
    /** The minimum number of collections until G1 has settled on a size (measured: 16, 16, 48, then 224 MB of 23 GB). */
    private static final int COLLECTIONS_MIN = 3;
    private static final int COLLECTIONS_MAX = 24;
    /** Sizes with a smaller relative difference count as equal. */
    private static final double SAME = 0.05;
    private static volatile byte[] seen;

    private Collectors() {
    }

    private static int place(int number, String name) {
        String collector = "sun.gc.collector." + number;
        return Counters.text(collector + ".name").endsWith(name) ? Counters.place(collector + ".invocations") : -1;
    }

    /** For other collectors. Loading these classes takes 15 ms. */
    private static final class Beans {
        /** The beans of all generations, and of the old one. */
        static final GarbageCollectorMXBean[] ALL = find();
        static final boolean[] ARE_OLD = new boolean[ALL.length];

        static {
            for (int i = 0; i < ALL.length; i++) {
                String name = ALL[i].getName();
                ARE_OLD[i] = name.contains("Old") || name.contains("MarkSweep") || name.contains("Major") || name.contains("Global");
            }
        }

        /** A concurrent collector has one bean for pauses and one for cycles; cycles are counted. */
        private static GarbageCollectorMXBean[] find() {
            List<GarbageCollectorMXBean> found = new ArrayList<>();
            for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
                if (!bean.getName().contains("Pauses") && !bean.getName().contains("Concurrent")) {
                    found.add(bean);
                }
            }
            return found.toArray(new GarbageCollectorMXBean[0]);
        }

        static long count(boolean isOld) {
            long sum = 0;
            for (int i = 0; i < ALL.length; i++) {
                if (!isOld || ARE_OLD[i]) {
                    sum += Math.max(0, ALL[i].getCollectionCount());
                }
            }
            return sum;
        }

        /** Whether a collection can be triggered. A collector that never collects keeps allocating new memory, so that is its steady state. */
        static boolean collect() {
            return ALL.length > 0 && !ALL[0].getName().contains("Epsilon");
        }
    }

    /** The number of collections so far: all, or those that include the old generation. */
    static long count(boolean isOld) {
        if (ARE_COUNTED) {
            return Counters.at(FULL_AT) + (isOld ? 0 : Counters.at(YOUNG_AT));
        }
        return Beans.count(isOld);
    }

    /**
     * Makes garbage until the young generation has reached its final size. The system provides its memory page by page on first use, and the collector
     * enlarges it after each of the first collections; meanwhile a body would take up to three times as long. JMH warms up for seconds before it
     * measures.
     */
    static void fillYoung() {
        if (!ARE_COUNTED && !Beans.collect()) {
            return;
        }
        long last = count(false);
        long size = size();
        int collections = 0;
        for (long filled = 0; filled < YOUNG_MAX && collections < COLLECTIONS_MAX; filled += LOOK * PIECE) {
            for (int i = 0; i < LOOK; i++) {
                seen = new byte[PIECE];
            }
            long now = count(false);
            if (now == last) {
                continue;
            }
            last = now;
            collections++;
            // The whole young generation was used since the last collection, and its size is stable.
            boolean isSame = Math.abs(size() - size) <= SAME * size;
            if (isSame && collections >= COLLECTIONS_MIN) {
                break;
            }
            size = size();
        }
        seen = null;
    }

    private static long size() {
        return SIZE_AT < 0 ? 0 : Counters.at(SIZE_AT);
    }
}
