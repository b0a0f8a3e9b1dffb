package tare.child;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the system and the runtime count of this process. */
final class Machine {
    private static final ThreadMXBean THREADS = threads();
    private static final long ME = Thread.currentThread().getId();
    /** Collectors of all generations, and of the old one. */
    private static final GarbageCollectorMXBean[] COLLECTORS = collectors();
    private static final boolean[] IS_OLD = new boolean[COLLECTORS.length];

    static {
        for (int i = 0; i < COLLECTORS.length; i++) {
            String name = COLLECTORS[i].getName();
            IS_OLD[i] = name.contains("Old") || name.contains("MarkSweep") || name.contains("Major") || name.contains("Global");
        }
    }

    /** Bytes of garbage that are made at most, and of each piece. */
    private static final long YOUNG_MAX = 1L << 30;
    private static final int YOUNG_BLOCK = 8000;
    private static volatile byte[] seen;

    private Machine() {
    }

    private static ThreadMXBean threads() {
        java.lang.management.ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        return bean instanceof ThreadMXBean ? (ThreadMXBean) bean : null;
    }

    /** A collector with phases beside the program has a bean for its pauses and one for its cycles: cycles are counted. */
    private static GarbageCollectorMXBean[] collectors() {
        List<GarbageCollectorMXBean> found = new ArrayList<>();
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!bean.getName().contains("Pauses") && !bean.getName().contains("Concurrent")) {
                found.add(bean);
            }
        }
        return found.toArray(new GarbageCollectorMXBean[0]);
    }

    static boolean hasCpu() {
        return THREADS != null && THREADS.isCurrentThreadCpuTimeSupported();
    }

    static boolean hasAllocated() {
        return THREADS != null && THREADS.isThreadAllocatedMemorySupported();
    }

    /** Of this thread, ns. */
    static long cpuNs() {
        return THREADS == null ? 0 : THREADS.getCurrentThreadCpuTime();
    }

    /** Bytes that this thread has allocated. */
    static long allocated() {
        return THREADS == null ? 0 : THREADS.getThreadAllocatedBytes(ME);
    }

    static long collections(boolean isOld) {
        long sum = 0;
        for (int i = 0; i < COLLECTORS.length; i++) {
            if (!isOld || IS_OLD[i]) {
                sum += Math.max(0, COLLECTORS[i].getCollectionCount());
            }
        }
        return sum;
    }

    /** A full collection, with finalizers done. */
    static void collect() {
        System.gc();
        System.runFinalization();
        System.gc();
    }

    /** Bytes that are alive, those of buffers outside the heap included. */
    static long live() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long outside = 0;
        for (java.lang.management.BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(java.lang.management.BufferPoolMXBean.class)) {
            outside += Math.max(0, pool.getMemoryUsed());
        }
        return heap.getUsed() + outside;
    }

    /**
     * Fills the memory that young objects come from once, to its first collection. The system gives that memory page by page when it is used for
     * the first time, which is no part of a body.
     */
    static void fillYoung() {
        long before = collections(false);
        for (long filled = 0; filled < YOUNG_MAX && collections(false) == before; filled += 128 * YOUNG_BLOCK) {
            for (int i = 0; i < 128; i++) {
                seen = new byte[YOUNG_BLOCK];
            }
        }
        seen = null;
    }

    /** Context switches of this thread: without its will, and because it waited. */
    static final boolean HAS_SWITCHES;
    static long switches;
    static long waits;
    private static final RandomAccessFile STATUS = status();
    private static final byte[] TEXT = new byte[4096];
    private static final byte[] WAITED = "\nvoluntary_ctxt_switches:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAKEN = "\nnonvoluntary_ctxt_switches:".getBytes(StandardCharsets.US_ASCII);

    static {
        HAS_SWITCHES = STATUS != null && readSwitches();
    }

    private static RandomAccessFile status() {
        try {
            return new RandomAccessFile("/proc/thread-self/status", "r");
        } catch (IOException none) {
            return null;
        }
    }

    /** Sets both. */
    static boolean readSwitches() {
        try {
            STATUS.seek(0);
            int length = STATUS.read(TEXT);
            waits = number(WAITED, length);
            switches = number(TAKEN, length);
            return waits >= 0 && switches >= 0;
        } catch (IOException gone) {
            return false;
        }
    }

    /** What stands behind a name; they are the last lines. */
    private static long number(byte[] name, int length) {
        for (int from = length - name.length; from >= 0; from--) {
            int same = 0;
            while (same < name.length && TEXT[from + same] == name[same]) {
                same++;
            }
            if (same == name.length) {
                long number = 0;
                for (int at = from + same; at < length && TEXT[at] != '\n'; at++) {
                    number = TEXT[at] >= '0' && TEXT[at] <= '9' ? 10 * number + TEXT[at] - '0' : number;
                }
                return number;
            }
        }
        return -1;
    }
}
