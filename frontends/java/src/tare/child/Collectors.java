package tare.child;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** What the collectors of the runtime have done, and the memory that young objects come from. */
final class Collectors {
    /** Where the numbers of collections are, of young objects and of all; -1: there are no such numbers. */
    private static final int YOUNG_AT = place(0, " young collection pauses");
    private static final int FULL_AT = place(1, " full collection pauses");
    private static final boolean ARE_COUNTED = YOUNG_AT >= 0 && FULL_AT >= 0;

    /** Where the size is of the memory that young objects come from. */
    private static final int SIZE_AT = Counters.place("sun.gc.generation.0.space.0.capacity");

    /** Bytes of garbage that are made at most, of each piece, and of pieces between two looks. */
    private static final long YOUNG_MAX = 4L << 30;
    private static final int PIECE = 8000;
    private static final int LOOK = 128;
    /** Collections until G1 has found its size: 16, 16, 48, and then 224 MB of 23 GB, measured. */
    private static final int COLLECTIONS_MIN = 3;
    private static final int COLLECTIONS_MAX = 24;
    /** Sizes that differ by less are the same, as a share. */
    private static final double SAME = 0.05;
    private static volatile byte[] seen;

    private Collectors() {
    }

    private static int place(int number, String name) {
        String collector = "sun.gc.collector." + number;
        return Counters.text(collector + ".name").endsWith(name) ? Counters.place(collector + ".invocations") : -1;
    }

    /** Other collectors. To load the classes of these takes 15 ms. */
    private static final class Beans {
        /** Of all generations, and of the old one. */
        static final GarbageCollectorMXBean[] ALL = find();
        static final boolean[] ARE_OLD = new boolean[ALL.length];

        static {
            for (int i = 0; i < ALL.length; i++) {
                String name = ALL[i].getName();
                ARE_OLD[i] = name.contains("Old") || name.contains("MarkSweep") || name.contains("Major") || name.contains("Global");
            }
        }

        /** A collector with phases beside the program has a bean for its pauses and one for its cycles: cycles are counted. */
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

        /** One that never collects gives new memory for ever: that is its steady use. */
        static boolean collect() {
            return ALL.length > 0 && !ALL[0].getName().contains("Epsilon");
        }
    }

    /** Collections until now, of all or of old objects too. */
    static long count(boolean isOld) {
        if (ARE_COUNTED) {
            return Counters.at(FULL_AT) + (isOld ? 0 : Counters.at(YOUNG_AT));
        }
        return Beans.count(isOld);
    }

    /**
     * Makes garbage until the memory that young objects come from has the size that it keeps. The system gives that memory page by page when it is
     * used for the first time, and the collector makes it larger after each of its first collections: a body would take up to three times as
     * long meanwhile. JMH runs for seconds before it measures.
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
            // It was used as a whole since the last collection, and keeps its size.
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
