package dev.tare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder in which the built `tare` runs. */
final class Place {
    /** The root of the repository; the tests run in a folder below it. */
    static final Path ROOT = root();
    static final String[] FEW = {"--quick", "--launches", "1", "--rounds", "2", "--no-save"};
    private static final Path TARE = Path.of(System.getenv().getOrDefault("TARE_PROGRAM", ROOT.resolve("target/debug/tare").toString()));

    final Path folder;

    Place(Path folder) {
        this.folder = folder;
    }

    record Done(int code, String output, String errors) {
        Done with(int wanted) {
            assertEquals(wanted, code, output + errors);
            return this;
        }
    }

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("spec/digests.txt"))) {
            at = at.getParent();
        }
        return at;
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** Copies a test program or project. */
    Path copy(String name) throws IOException {
        Path from = ROOT.resolve("frontends/java/tests/programs").resolve(name);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : (Iterable<Path>) all::iterator) {
                Path to = folder.resolve(from.getParent().relativize(one));
                if (Files.isDirectory(one)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(one, to);
                }
            }
        }
        return folder.resolve(name);
    }

    Done tare(String... words) {
        assumeTrue(Files.exists(TARE), "there is no built `tare`: cargo build, or TARE_PROGRAM");
        List<String> command = new ArrayList<>(List.of(TARE.toString()));
        command.addAll(Arrays.asList(words));
        return run(Map.of(), command);
    }

    Done run(Map<String, String> variables, List<String> command) {
        try {
            Path output = Files.createTempFile(folder, "output", "");
            Path errors = Files.createTempFile(folder, "errors", "");
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().putAll(variables);
            int code = builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start().waitFor();
            return new Done(code, Files.readString(output), Files.readString(errors));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    /** A command with its usual arguments. */
    static String[] words(String[] some, String... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
    }
}
