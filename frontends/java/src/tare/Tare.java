package tare;

import java.nio.file.Path;
import tare.child.Once;
import tare.child.Skipped;

/** What a benchmark can ask for. */
public final class Tare {
    private Tare() {
    }

    /** In a set-up: the benchmark is not measured here, which is not a failure. */
    public static void skip(String why) {
        throw new Skipped(why);
    }

    /** Makes a text or files once per run; the other processes of the run wait for it and get the same. */
    public static String oncePerRun(String name, Maker maker) throws Exception {
        return Once.of(name, maker);
    }

    /** What is made once per run. */
    public interface Maker {
        /** Puts files into the folder, which is gone after the run, and returns what each process gets. */
        String make(Path folder) throws Exception;
    }
}
