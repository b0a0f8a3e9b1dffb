package tare.child;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;

/** Counters of this process from the system and the runtime. */
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

    /** CPU time of this thread in ns. */
    static long cpuNs() {
        return THREADS == null ? 0 : THREADS.getCurrentThreadCpuTime();
    }

    /** Bytes allocated by this thread. */
    static long allocated() {
        return THREADS == null ? 0 : THREADS.getThreadAllocatedBytes(ME);
    }

    /** Bytes allocated by all threads; before JDK 21, by all live threads. */
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

    /** From JDK 21 on: includes threads that have ended. */
    private static java.lang.reflect.Method total() {
        try {
            return ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
        } catch (NoSuchMethodException old) {
            return null;
        }
    }

    /** Runs a full collection and finalizers. */
    static void collect() {
        System.gc();
        System.runFinalization();
        System.gc();
    }

    /** Live bytes, including buffers outside the heap. */
    static long live() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long outside = 0;
        for (java.lang.management.BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(java.lang.management.BufferPoolMXBean.class)) {
            outside += Math.max(0, pool.getMemoryUsed());
        }
        return heap.getUsed() + outside;
    }

    /** Context switches of this thread: involuntary ones, and waits. */
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

    /** The number after a name. These are the last lines of the file. */
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
