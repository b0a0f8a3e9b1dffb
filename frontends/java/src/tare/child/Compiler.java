package tare.child;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** What the runtime's compilers have done, and whether they still work. */
final class Compiler {
    private static final String TASKS = "/proc/self/task";
    /** The first 15 bytes of the names of their threads, which is what Linux keeps. */
    private static final String[] THREADS = {"C1 CompilerThre", "C2 CompilerThre", "JVMCI-native Co"};
    /** Questions after which threads that began later are looked for. */
    private static final int SEARCH_EACH = 16;

    private static final int COUNT_AT = Counters.place("sun.ci.totalCompiles");
    private static final byte[] LINE = new byte[128];
    private static final List<RandomAccessFile> FILES = new ArrayList<>();
    private static int questions;

    private Compiler() {
    }

    /** Loaded only where there are no counters. */
    private static final class Bean {
        static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    }

    /** Whether compilations are counted, and the threads are found. */
    static boolean isWatched() {
        return COUNT_AT >= 0 && !search().isEmpty();
    }

    static boolean isCounted() {
        return COUNT_AT >= 0 || (Bean.COMPILER != null && Bean.COMPILER.isCompilationTimeMonitoringSupported());
    }

    /** How many methods were compiled; without that number how many ms were spent on it, which changes when it does. */
    static long count() {
        return COUNT_AT >= 0 ? Counters.at(COUNT_AT) : Bean.COMPILER == null ? 0 : Bean.COMPILER.getTotalCompilationTime();
    }

    /** A compiler works, or would if it had a processor. */
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

    /** Waits until the compilers have nothing to do, at most so long. */
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
                // Its thread has ended.
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
                // A thread that has ended since.
            }
        }
        return FILES;
    }

    /** The letter behind the name; 0: it is no thread of a compiler. */
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
