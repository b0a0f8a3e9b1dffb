package tare.child;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** Looks for a deadlock when a request takes long, so that it is reported instead of waited for. */
final class Watch extends Thread {
    private static final long EACH_MS = Long.getLong("tare.watch", 5000);
    private static final long EXIT_MS = 2000;
    /** The text that triggers the host's hint. */
    static final String FOUND = "Found one Java-level deadlock:";
    private static final int STATUS = 3;

    static volatile long request;

    private Watch() {
        super("tare-watch");
        setDaemon(true);
    }

    static void begin() {
        new Watch().start();
    }

    /** Ends the process even if a shutdown hook of the user blocks. */
    static void limitExit() {
        Thread end = new Thread() {
            @Override
            public void run() {
                try {
                    Thread.sleep(EXIT_MS);
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
                Runtime.getRuntime().halt(0);
            }
        };
        end.setDaemon(true);
        end.start();
    }

    @Override
    public void run() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = -1;
        try {
            while (true) {
                Thread.sleep(EACH_MS);
                long now = request;
                long[] locked = now == before && now % 2 == 1 ? threads.findDeadlockedThreads() : null;
                before = now;
                if (locked != null) {
                    report(threads.getThreadInfo(locked, true, true));
                    Runtime.getRuntime().halt(STATUS);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static void report(ThreadInfo[] all) {
        StringBuilder text = new StringBuilder(FOUND).append('\n');
        for (ThreadInfo one : all) {
            text.append('"').append(one.getThreadName()).append("\" waits for ").append(one.getLockName()).append(", which \"")
                .append(one.getLockOwnerName()).append("\" holds").append(place(one)).append('\n');
        }
        System.err.print(text);
        System.err.flush();
    }

    /** Where the user's code is waiting. */
    private static String place(ThreadInfo thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (Thrown.isUsers(frame)) {
                return ", at " + frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "";
    }
}
