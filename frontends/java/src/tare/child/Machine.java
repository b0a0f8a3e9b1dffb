package tare.child;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;

/** What the system and the runtime count of this process. */
final class Machine {
    private static final ThreadMXBean THREADS = threads();
    private static final java.lang.reflect.Method TOTAL = total();
    private static final long ME = Thread.currentThread().getId();
    private Machine() {
    }

    private static ThreadMXBean threads() {
        java.lang.management.ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        return bean instanceof ThreadMXBean ? (ThreadMXBean) bean : null;
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

    /** Bytes that all threads have allocated; before JDK 21 those that live. */
    static long allocatedByAll() {
        if (THREADS == null) {
            return 0;
        }
        if (TOTAL != null) {
            try {
                return (Long) TOTAL.invoke(THREADS);
            } catch (ReflectiveOperationException lacking) {
                return 0;
            }
        }
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    /** Of JDK 21 and later: those of threads that have ended count as well. */
    private static java.lang.reflect.Method total() {
        try {
            return ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
        } catch (NoSuchMethodException old) {
            return null;
        }
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
