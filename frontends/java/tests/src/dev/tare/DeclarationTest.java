package dev.tare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tare.Benchmark;
import tare.BenchmarkMode;
import tare.Level;
import tare.Mode;
import tare.Operations;
import tare.Param;
import tare.Rate;
import tare.Results;
import tare.Setup;
import tare.State;
import tare.Tare;
import tare.child.Program;

/** The meaning of declarations, and the errors for wrong ones. */
class DeclarationTest {
    enum Size {
        SMALL,
        LARGE
    }

    @State
    static class Values {
        @Param({"1", "2"})
        long n;
        @Param("0.5")
        double x;
        @Param
        boolean flag;
        @Param
        Size size;
    }

    static class Parameters {
        @Benchmark
        String all(Values values) {
            return values.n + " " + values.x + " " + values.flag + " " + values.size;
        }
    }

    @Test
    void allCombinationsOfParametersAreBenchmarks() {
        Program program = Program.of(Parameters.class);
        List<JsonObject> lines = program.list();
        assertEquals(2 * 1 * 2 * 2, lines.size());
        assertEquals(List.of("n", "x", "flag", "size"), Program.texts(lines.get(0).get("parameters"), "name"));
        assertEquals(List.of("1", "0.5", "false", "SMALL"), Program.texts(lines.get(0).get("parameters"), "value"));
        assertEquals(List.of("integer", "float", "boolean", "text"), Program.texts(lines.get(0).get("parameters"), "type"));
    }

    @Test
    void otherValuesCanBeGiven() {
        Program program = Program.of(Parameters.class);
        assertEquals(1, program.ask("set n 7 8").get("benchmarks").getAsInt());
        assertEquals("bad-value", program.ask("set n x").get("kind").getAsString());
        program.open("all");
        assertEquals("7 0.5 false SMALL", program.check());
    }

    static class Described {
        @Benchmark(baseline = true, description = "one line", categories = {"a", "b"}, unit = "row", threads = 0, waits = true)
        int all() {
            return 1;
        }

        @BenchmarkMode(Mode.SingleShotTime)
        @Benchmark(results = Results.Differ)
        int single() {
            return 1;
        }

        @Benchmark(skip = "needs a server")
        int skipped() {
            return 1;
        }
    }

    @Test
    void whatIsDeclaredIsListed() {
        Program program = Program.of(Described.class);
        JsonObject all = program.line("all");
        assertEquals("DeclarationTest.Described", all.get("group").getAsString());
        assertEquals("DeclarationTest.java", all.get("file").getAsString());
        assertTrue(all.get("line").getAsInt() > 50);
        assertTrue(all.get("baseline").getAsBoolean());
        assertEquals("one line", all.get("description").getAsString());
        assertEquals(List.of("a", "b"), Program.texts(all.get("categories")));
        assertEquals("row", all.get("unit").getAsString());
        assertEquals(0, all.get("threads").getAsInt());
        assertTrue(all.get("waits").getAsBoolean());
        assertEquals("cold-start", program.line("single").get("strategy").getAsString());
        assertEquals("differ", program.line("single").get("results").getAsString());
        assertEquals("needs a server", program.line("skipped").get("skipped").getAsString());
    }

    @State
    static class Rows {
        int calls;

        @Setup(Level.Invocation)
        void each() {
            calls++;
        }

        @Operations
        int rows() {
            return 5;
        }

        @Rate("bytes")
        long bytes() {
            return 50;
        }
    }

    static class Counting {
        @Benchmark(items = 3)
        int rows(Rows rows) {
            return rows.calls;
        }
    }

    @Test
    void operationsAndRatesMayComeFromTheSetUp() {
        Program program = Program.of(Counting.class);
        JsonObject rows = program.line("rows");
        assertEquals("[{\"name\":\"items\",\"per_invocation\":3},{\"name\":\"bytes\",\"per_invocation\":0}]", rows.get("rates").toString());
        assertEquals(List.of("iteration"), Program.texts(rows.get("set_ups")));
        assertEquals(1, rows.get("invocations_max").getAsInt());
        assertEquals("{\"reply\":\"opened\",\"operations\":5,\"rates\":{\"bytes\":50}}", program.open("rows").toString());
        assertEquals("1", program.check());
        assertEquals(3, Program.numbers(program.ask("measure workload 3 1 0").get("elapsed_ns")).size());
        assertEquals("5", program.check(), "a set-up for each call");
    }

    @State
    static class Refusing {
        @Setup
        void look() {
            Tare.skip("no data here");
        }
    }

    static class Skipping {
        @Benchmark
        int refusing(Refusing refusing) {
            return 1;
        }
    }

    @Test
    void aSetUpMaySkipItsBenchmark() {
        JsonObject refused = Program.of(Skipping.class).open("refusing");
        assertEquals("skipped", refused.get("kind").getAsString());
        assertEquals("no data here", refused.get("message").getAsString());
    }

    @State
    static class OneOfText {
        @Param({"1", "one"})
        int n;
    }

    @State
    static class Constant {
        @Param({"1", "1"})
        final int n = 2;
    }

    @State
    static class Twice {
        @Param({"1", "1"})
        int n;
    }

    static class Unready {
        static final int N = Integer.parseInt("none");

        @Benchmark
        int unready() {
            return N;
        }
    }

    static class Wrong {
        @Benchmark
        static int fixed() {
            return 3;
        }

        @Benchmark(name = "fixed")
        int twice() {
            return 1;
        }

        @Benchmark
        private int hidden() {
            return 1;
        }

        @Benchmark
        IntStream lazy() {
            return IntStream.of(1);
        }

        @Benchmark
        int foreign(String text) {
            return 1;
        }

        @Benchmark
        int value(OneOfText wrong) {
            return 1;
        }

        @Benchmark
        int constant(Constant wrong) {
            return wrong.n;
        }

        @Benchmark
        int once(Twice right) {
            return right.n;
        }
    }

    class Inner {
        @Benchmark
        int inner() {
            return 1;
        }
    }

    @Test
    void wrongDeclarationsSayWhatToDo() {
        Program program = Program.of(Wrong.class, Inner.class);
        assertEquals("`hidden` is private: leave the word out", program.invalid("hidden"));
        assertContains("may have done nothing yet", program.invalid("lazy"));
        assertContains("has no `@State`", program.invalid("foreign"));
        assertContains("`one` is not a value of `n`, which is of type `int`", program.invalid("value"));
        assertContains("declare it `static`", program.invalid("inner"));
        assertContains("`n` is `final`", program.invalid("constant"));
        assertEquals(1, program.list().stream().filter(line -> line.get("name").getAsString().equals("once")).count());
        assertContains("NumberFormatException", Program.of(Unready.class).open("unready").get("message").getAsString());
        List<JsonObject> same = program.list().stream().filter(line -> line.get("name").getAsString().equals("fixed")).toList();
        assertTrue(!same.get(0).has("invalid"));
        assertContains("is there twice", same.get(1).get("invalid").getAsString());
    }

    static void assertContains(String part, String text) {
        assertTrue(text.contains(part), "`" + part + "` is not in: " + text);
    }
}
