package tare.child;

import java.io.IOException;
import java.util.Collections;
import tare.Benchmark;

/**
 * Exercises everything that a process does, so that the runtime loads the classes for it and archives them at exit
 * (`-XX:ArchiveClassesAtExit`). Processes started with the archive take a tenth less time until their benchmark is warm.
 */
final class Archive {
    private Archive() {
    }

    static final class Body {
        private final int number = 1;

        @Benchmark
        int body() {
            return number;
        }
    }

    public static void main(String[] arguments) throws IOException {
        Catalog catalog = Catalog.of(Collections.emptyList());
        catalog.add(Body.class.getName());
        Child.rehearse(catalog);
    }
}
