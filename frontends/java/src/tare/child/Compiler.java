package tare.child;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The activity of the runtime's compilers. */
final class Compiler {
    private static final String TASKS = "/proc/self/task";
    /** Prefixes of the names of their threads: the first 15 bytes, which is the limit on Linux. */
    private static final String[] THREADS = {"C1 CompilerThre", "C2 CompilerThre", "JVMCI-native Co"};
    /** The number of checks between searches for new threads. */
    private static final int SEARCH_EACH = 16;

    private static final int COUNT_AT = Counters.place("sun.ci.totalCompiles");
    private static final byte[] LINE = new byte[128];
    private static final List<RandomAccessFile> FILES = new ArrayList<>();
    private static int questions;

    private Compiler() {
    }

    /** Loaded only if there are no counters. */
    private static final class Bean {
        static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    }

    /** Whether compilations are counted and the compiler threads are known. */
    static boolean isWatched() {
        return COUNT_AT >= 0 && !search().isEmpty();
    }

    static boolean isCounted() {
        return COUNT_AT >= 0 || (Bean.COMPILER != null && Bean.COMPILER.isCompilationTimeMonitoringSupported());
    }

    /** The number of compiled methods; if unknown, the ms spent compiling, which changes at the same times. */
    static long count() {
        return COUNT_AT >= 0 ? Counters.at(COUNT_AT) : Bean.COMPILER == null ? 0 : Bean.COMPILER.getTotalCompilationTime();
    }

    /** Whether a compiler is running or ready to run. */
    static boolean isBusy() {
        if (questions++ % SEARCH_EACH == 0) {
            search();
        }
        for (int i = 0; i < FILES.size(); i++) {
            char state = stateOf(FILES.get(i));
            if (state == 'R' || state == 'D') {
                return true;
            }
        }
        return false;
    }

    /** Waits until the compilers are idle, up to a limit. */
    static void await(int ms) {
        long end = System.nanoTime() + ms * 1_000_000L;
        int quiet = 0;
        long before = count();
        while (quiet < 2 && System.nanoTime() < end) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            }
            long now = count();
            quiet = now == before && !isBusy() ? quiet + 1 : 0;
            before = now;
        }
    }

    private static List<RandomAccessFile> search() {
        for (RandomAccessFile file : FILES) {
            try {
                file.close();
            } catch (IOException gone) {
                // The thread has ended.
            }
        }
        FILES.clear();
        String[] threads = new File(TASKS).list();
        for (String thread : threads == null ? new String[0] : threads) {
            try {
                RandomAccessFile file = new RandomAccessFile(TASKS + "/" + thread + "/stat", "r");
                if (stateOf(file) != 0) {
                    FILES.add(file);
                } else {
                    file.close();
                }
            } catch (IOException gone) {
                // The thread has ended meanwhile.
            }
        }
        return FILES;
    }

    /** The state letter after the name; 0 if it is not a compiler thread. */
    private static char stateOf(RandomAccessFile file) {
        try {
            file.seek(0);
            int length = file.read(LINE);
            for (int from = 0; from < length; from++) {
                if (LINE[from] == '(') {
                    for (String name : THREADS) {
                        if (isAt(from + 1, name, length)) {
                            return (char) LINE[from + name.length() + 3];
                        }
                    }
                    return 0;
                }
            }
        } catch (IOException gone) {
            return 0;
        }
        return 0;
    }

    private static boolean isAt(int from, String name, int length) {
        if (from + name.length() + 3 > length) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (LINE[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
