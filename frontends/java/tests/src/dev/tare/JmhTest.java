package dev.tare;

import static dev.tare.DeclarationTest.assertContains;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import shop.Base;
import shop.Cheap;
import shop.Dear;
import shop.Features;
import tare.child.Program;

/** Benchmarks declared for JMH. */
public class JmhTest {
    private static final Program SHOP = Program.of(Features.class, Base.class, Cheap.class, Dear.class);

    @Test
    void inheritedBenchmarksAreThoseOfTheClassesBelow() {
        List<String> groups = SHOP.list().stream().filter(line -> line.get("name").getAsString().equals("inherited")).map(line -> line.get("group").getAsString()).toList();
        assertEquals(List.of("Cheap", "Dear"), groups);
        SHOP.open("inherited");
        assertEquals("1", SHOP.check());
        SHOP.ask("close");
    }

    @Test
    void statesNeedStatesAndHaveParameters() {
        List<JsonObject> states = SHOP.list().stream().filter(line -> line.get("name").getAsString().equals("states")).toList();
        List<List<String>> values = states.stream().map(line -> Program.texts(line.get("parameters"), "value")).toList();
        assertEquals(List.of(List.of("3", "SMALL"), List.of("3", "LARGE"), List.of("5", "SMALL"), List.of("5", "LARGE")), values);
        SHOP.ask("open " + states.get(1).get("index") + " 0");
        assertEquals("300TIv", SHOP.check());
        SHOP.ask("close");
    }

    @Test
    void annotationsMeanWhatTheyMeanThere() {
        assertEquals(10, SHOP.line("operations").get("operations").getAsInt());
        assertEquals("cold-start", SHOP.line("single").get("strategy").getAsString());
        assertEquals("monitoring", SHOP.line("repeated").get("strategy").getAsString());
        JsonObject launch = SHOP.line("forked").getAsJsonObject("launch");
        assertEquals("-Dshop.open=yes -Xmx200m", launch.getAsJsonObject("environment").get("JDK_JAVA_OPTIONS").getAsString());
        SHOP.open("blackhole");
        assertEquals("measured", SHOP.ask("measure workload 1 1000 0").get("reply").getAsString());
        SHOP.ask("close");
    }

    @Test
    void whatIsNotCarriedOverIsSkippedByName() {
        assertContains("@Threads(4)", SHOP.line("threads").get("skipped").getAsString());
        assertContains("@Group", SHOP.line("pair.grouped").get("skipped").getAsString());
        assertContains("BenchmarkParams", SHOP.line("params").get("skipped").getAsString());
    }

    @Test
    void whatHasNoEffectIsNoted() {
        assertTrue(SHOP.notes().stream().anyMatch(note -> note.startsWith("`@Warmup` has no effect")), SHOP.notes().toString());
    }

    public abstract static class Above {
        @Benchmark
        public int twice() {
            return 6;
        }
    }

    @State(Scope.Benchmark)
    public static class Inner extends Above {
    }

    /** JMH jars list the classes with benchmarks, including those that only inherit them. */
    @Test
    void nestedBenchmarksOfAJarAreFound(@TempDir Path folder) throws IOException {
        Path jar = folder.resolve("nested.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : new Class<?>[] {JmhTest.class, Above.class, Inner.class}) {
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
