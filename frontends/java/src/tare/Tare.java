package tare;

import java.nio.file.Path;
import tare.child.Once;
import tare.child.Skipped;

/** Functions for use within benchmarks. */
public final class Tare {
    private Tare() {
    }

    /** Skips the benchmark from within a set-up. This is not a failure. */
    public static void skip(String why) {
        throw new Skipped(why);
    }

    /** Makes a text or files once per run. Other processes of the run wait and then get the same text. */
    public static String oncePerRun(String name, Maker maker) throws Exception {
        return Once.of(name, maker);
    }

    /** Makes data once per run. */
    public interface Maker {
        /** Writes files into the folder, which is deleted after the run, and returns the text for all processes. */
        String make(Path folder) throws Exception;
    }
}
