package dev.tare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tare.child.Program;

/** Benchmarks that are declared for JMH. */
public class JmhTest {
    public abstract static class Base {
        abstract int n();

        @Benchmark
        @Warmup(iterations = 3)
        public int twice() {
            return 2 * n();
        }
    }

    @State(Scope.Benchmark)
    public static class Inner extends Base {
        @Override
        int n() {
            return 3;
        }
    }

    @Test
    void whatHasNoEffectIsNoted() {
        Program program = Program.of(Base.class, Inner.class);
        assertTrue(program.notes().stream().anyMatch(note -> note.startsWith("`@Warmup` has no effect")), program.notes().toString());
        program.open("twice");
        assertEquals("6", program.check());
    }

    /** Such a jar has a list of the benchmarks' classes, also of those that only inherit them. */
    @Test
    void nestedBenchmarksOfAJarAreFound(@TempDir Path folder) throws IOException {
        Path jar = folder.resolve("nested.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : new Class<?>[] {JmhTest.class, Base.class, Inner.class}) {
                String path = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(path));
                try (InputStream bytes = type.getResourceAsStream("/" + path)) {
                    bytes.transferTo(out);
                }
            }
            out.putNextEntry(new JarEntry("META-INF/BenchmarkList"));
            String list = "JMH S 22 dev.tare.JmhTest.Inner S 42 dev.tare.jmh_generated.JmhTest_Inner_twice_jmhTest S 5 twice\n";
            out.write(list.getBytes(StandardCharsets.UTF_8));
        }
        Program program = Program.at(jar);
        assertEquals("JmhTest.Inner", program.line("twice").get("group").getAsString());
        assertTrue(program.notes().stream().noneMatch(note -> note.contains("cannot be loaded")), program.notes().toString());
    }
}
