package dev.tare;

import static dev.tare.DeclarationTest.assertContains;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import tare.child.Program;

/** Programs that the built `tare` compiles and measures. */
class WorldTest {
    @TempDir
    Path folder;

    private Place place() {
        return new Place(folder);
    }

    @Test
    void theProtocolIsKept() throws IOException {
        Place place = place();
        place.copy("Conformance.java");
        place.run(Map.of(), List.of("javac", "-g", "-cp", classes(), "-d", "own", "Conformance.java")).with(0);
        // How the compiler treats bodies is not part of the protocol.
        List<String> java = List.of("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes() + ":own", "tare.child.Main", "own");
        Place.Done done = place.tare(Place.words(new String[] {"conformance", "--quick", "--"}, java.toArray(String[]::new))).with(0);
        assertContains(" 0 failed, 0 undecided, 0 advice", done.output());
    }

    /** The classes of the front end. */
    private static String classes() {
        return Path.of(Program.class.getProtectionDomain().getCodeSource().getLocation().getPath()).resolveSibling("classes").toString();
    }

    @Test
    void aFileIsMeasured() throws IOException {
        Place place = place();
        place.write("Sum.java", """
            import tare.*;

            public class Sum {
                int x = 3;

                @Benchmark
                public int fine() {
                    return x;
                }

                @Benchmark
                public void exiting() {
                    System.exit(7);
                }
            }
            """);
        Place.Done done = place.tare(Place.words(new String[] {"run", "Sum.java"}, Place.FEW)).with(100);
        assertContains("in the body: it calls `System.exit`, which ends the process at Sum.java:13", done.output());
        assertContains("fine", done.output());
    }

    @Test
    void aFileHasItsOwnBenchmarksAlone() throws IOException {
        Place place = place();
        place.write("Other.java", "import tare.*; public class Other { @Benchmark public int other() { return 1; } }");
        place.write("Own.java", "import tare.*; public class Own extends Other { @Benchmark public int own() { return 2; } }");
        String listed = place.tare("list", "Own.java").with(0).output();
        assertContains("Own/own", listed);
        assertTrue(listed.contains("Own/other") && !listed.contains("Other/"), listed);
    }

    @Test
    void aFileWithoutAClassHasNoBenchmark() throws IOException {
        Place place = place();
        place.write("Empty.java", "// later\n");
        assertContains("no benchmark in `Empty.java`", place.tare("list", "Empty.java").with(4).errors());
    }

    @Test
    void aProjectOfMavenWithJmhIsMeasured() throws IOException {
        Place place = place();
        place.copy("jmh");
        Place.Done done = place.tare("run", "jmh", "--dry", "--filter", "*/forked", "--filter", "Dear/*").with(0);
        assertTrue(done.output().matches("(?s).*Dear/inherited +ran +9\\n.*"), done.output());
        assertTrue(done.output().matches("(?s).*Features/forked +ran +yes\\n.*"), done.output());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "TARE_TEST_LONG", matches = ".+", disabledReason = "takes long")
    void everyMisbehaviourIsOneFailureByName() throws IOException {
        Place place = place();
        place.copy("Misbehaving.java");
        Place.Done done = place.tare(Place.words(new String[] {"run", "Misbehaving.java", "-v", "--flags", "-Xmx64m -Dtare.watch=300"}, Place.FEW)).with(100);
        assertContains("Found one Java-level deadlock", done.output());
        assertContains("holds, at Misbehaving.java:", done.output());
        assertContains("take locks in the same order", done.output());
        assertContains("the heap may have 6", done.output());
        assertContains("it calls `System.exit`, which ends the process at Misbehaving.java:", done.output());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "TARE_TEST_LONG", matches = ".+", disabledReason = "takes long")
    void kotlinAndScalaAreMeasured() throws IOException {
        Place place = place();
        place.copy("kotlin");
        place.copy("scala");
        Place.Done kotlin = place.tare("run", "kotlin", "--dry").with(0);
        assertEquals(2, kotlin.output().split("split\\[").length - 1, kotlin.output());
        assertEquals(2, kotlin.output().split("each\\[").length - 1, kotlin.output());
        Place.Done scala = place.tare("run", "scala", "--dry").with(0);
        assertEquals(2, scala.output().split("split\\[").length - 1, scala.output());
        assertEquals(2, scala.output().split("mapped\\[").length - 1, scala.output());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "TARE_TEST_LONG", matches = ".+", disabledReason = "takes long")
    void theArtifactIsBuiltAndUsed() throws IOException {
        Place place = place();
        place.run(Map.of("TARE_PACKAGES", folder.resolve("packages").toString()), List.of(Place.ROOT.resolve("packaging/build").toString(), "maven")).with(0);
        Files.createDirectories(folder.resolve("user/src/test/java"));
        place.write("user/pom.xml", """
            <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
            <groupId>org.example</groupId><artifactId>user</artifactId><version>1</version>
            <properties><maven.compiler.release>11</maven.compiler.release></properties>
            <repositories><repository><id>folder</id><url>file://%s/maven</url></repository></repositories>
            <dependencies><dependency><groupId>dev.tare</groupId><artifactId>tare</artifactId><version>0.1.0</version><scope>test</scope></dependency></dependencies>
            <build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin></plugins></build>
            </project>
            """.formatted(folder.resolve("packages")));
        place.write("user/src/test/java/Sum.java", "public class Sum { @tare.Benchmark public int nine() { return 9; } }\n");
        assertContains("nine  ran", place.tare("run", "user", "--dry").with(0).output());
    }
}
