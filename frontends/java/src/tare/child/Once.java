package tare.child;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import tare.Tare;

/** Makes data once per run (R27). */
public final class Once {
    private static final String MADE = "made";
    private static final String FAILED = "failed";

    private Once() {
    }

    public static String of(String name, Tare.Maker maker) throws Exception {
        String run = System.getenv("TARE_RUN_FOLDER");
        Path root = run == null || run.isEmpty() ? Files.createTempDirectory("tare-once-") : Paths.get(run);
        if (run == null || run.isEmpty()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(root)));
        }
        StringBuilder safe = new StringBuilder("once-");
        for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
            safe.append(Character.isLetterOrDigit(one) ? String.valueOf((char) one) : String.format("_%02x", one));
        }
        Path folder = root.resolve(safe.toString());
        Files.createDirectories(folder);
        // The lock is released when its process ends, in whatever way.
        try (FileChannel channel = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (Files.exists(folder.resolve(FAILED))) {
                throw new IllegalStateException(text(folder.resolve(FAILED)));
            }
            if (!Files.exists(folder.resolve(MADE))) {
                make(folder, name, maker);
            }
            return text(folder.resolve(MADE));
        }
    }

    private static void make(Path folder, String name, Tare.Maker maker) throws Exception {
        Path own = folder.resolve("files");
        try {
            Files.createDirectories(own);
            write(folder.resolve(MADE), String.valueOf(maker.make(own)));
        } catch (Exception | Error thrown) {
            write(folder.resolve(FAILED), "`" + name + "` could not be made: " + thrown);
            throw thrown;
        }
    }

    private static String text(Path path) throws IOException {
        return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    }

    private static void write(Path path, String text) throws IOException {
        Path beside = path.resolveSibling(path.getFileName() + ".new");
        Files.write(beside, text.getBytes(StandardCharsets.UTF_8));
        Files.move(beside, path);
    }

    private static void remove(Path path) {
        try {
            if (Files.isDirectory(path)) {
                try (java.util.stream.Stream<Path> below = Files.list(path)) {
                    below.forEach(Once::remove);
                }
            }
            Files.deleteIfExists(path);
        } catch (IOException left) {
            // The system cleans up temporary files.
        }
    }
}
