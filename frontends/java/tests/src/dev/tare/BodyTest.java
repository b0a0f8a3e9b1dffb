package dev.tare;

import static dev.tare.DeclarationTest.assertContains;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import tare.Benchmark;
import tare.Blackhole;
import tare.Level;
import tare.Setup;
import tare.State;
import tare.TearDown;
import tare.child.Program;

/** Bodies and their steps: their order, their counts, and the reports of failures. */
class BodyTest {
    static class Told {
        @Benchmark(ownTime = true)
        long own() {
            return 77;
        }

        @Benchmark
        void blackhole(Blackhole hole) {
            hole.consume("text");
            hole.consume(1L);
            Blackhole.consumeCPU(3);
        }
    }

    @Test
    void aBodyMayTellItsOwnTime() {
        Program program = Program.of(Told.class);
        program.open("own");
        assertEquals(List.of(770L, 770L), Program.numbers(program.ask("measure workload 2 10 0").get("elapsed_ns")));
    }

    @Test
    void aBlackholeAllocatesNothing() {
        Program program = Program.of(Told.class);
        program.open("blackhole");
        JsonObject measured = program.ask("measure workload 1 1000 100 2");
        assertEquals(2, Program.numbers(measured.get("window_ns")).size());
        assertEquals(3, Program.numbers(measured.get("width_ns")).size());
        assertEquals(List.of(0L), Program.numbers(measured.getAsJsonObject("metrics").get("allocated_bytes")));
    }

    static final java.util.Set<Integer> DEPTHS = new java.util.TreeSet<>();

    static class Looking {
        @Benchmark
        void look() {
            DEPTHS.add(new Throwable().getStackTrace().length);
        }
    }

    /** Moving the stack is invisible to code that inspects it. */
    @Test
    void aBodyHasTheSameFramesAboveItWhereverItLies() {
        Program program = Program.of(Looking.class);
        for (long seed : new long[] {0, 1, 26, 63, -1}) {
            program.ask("open 0 " + Long.toUnsignedString(seed));
            for (int request = 0; request < 70; request++) {
                program.ask("measure workload 1 1 0");
            }
            program.ask("close");
        }
        assertEquals(1, DEPTHS.size(), DEPTHS::toString);
    }

    abstract static class Above {
        int value;

        @Setup
        void fill() {
            value = 1;
        }

        @Benchmark
        int inherited() {
            return value;
        }
    }

    static class Below extends Above {
        @Override
        void fill() {
            value = 2;
        }

        @Override
        int inherited() {
            return 10 * value;
        }
    }

    @Test
    void whatOverridesAMarkedMethodIsCalledInItsPlace() {
        Program program = Program.of(Above.class, Below.class);
        program.open("inherited");
        assertEquals("20", program.check());
    }

    interface Contract {
        @Benchmark
        default int given() {
            return 3;
        }

        @Benchmark
        default int replaced() {
            return 4;
        }

        @Benchmark
        static int ofTheInterface() {
            return 5;
        }
    }

    interface Wider extends Contract {
    }

    static class Basis implements Contract {
        @Override
        public int replaced() {
            return 6;
        }
    }

    static class Kept extends Basis implements Wider {
    }

    @Test
    void benchmarksOfAnInterfaceAreThoseOfTheClassesThatHaveIt() {
        Program program = Program.of(Contract.class, Wider.class, Basis.class, Kept.class);
        assertEquals(4, program.list().size());
        for (String name : new String[] {"given", "replaced"}) {
            program.open(name);
            assertEquals(name.equals("given") ? "3" : "6", program.check());
            program.ask("close");
        }
    }

    static class Allocating {
        /** The JVM of these tests has no blackholes, and a compiled loop would not allocate objects that are never used. */
        static volatile byte[] kept;
        int n = 100;

        @Benchmark
        byte[] make() {
            byte[] made = new byte[n];
            kept = made;
            return made;
        }
    }

    @Test
    void bytesAreExactAndCollectionsCounted() {
        Program program = Program.of(Allocating.class);
        program.open("make");
        for (long invocations : new long[] {1, 1000}) {
            JsonObject metrics = program.ask("measure workload 1 " + invocations + " 0").getAsJsonObject("metrics");
            assertEquals(List.of(120 * invocations), Program.numbers(metrics.get("allocated_bytes")));
        }
        // Ten times the tests' heap.
        JsonObject metrics = program.ask("measure workload 1 20000000 0").getAsJsonObject("metrics");
        assertTrue(Program.numbers(metrics.get("collections_0")).get(0) > 0);
        assertTrue(program.ask("collect").get("live_bytes").getAsLong() > 0);
        JsonObject counted = program.ask("diagnose memory 2 1000 10").getAsJsonObject("metrics");
        assertEquals(2, Program.numbers(counted.get("kept_bytes")).size());
        assertTrue(Collections.min(Program.numbers(counted.get("allocated_bytes_all_threads"))) >= 120 * 1000);
    }

    @State
    public static class Throwing {
        @Benchmark
        int parse() {
            try {
                return Integer.parseInt("n/a");
            } catch (NumberFormatException expected) {
                return -1;
            }
        }
    }

    @Test
    void exceptionsAreCounted() {
        Program program = Program.of(Throwing.class);
        program.open("parse");
        JsonObject counted = program.ask("diagnose exceptions 2 100 10").getAsJsonObject("metrics");
        // The compiler may leave out exceptions that are never inspected.
        List<Long> thrown = Program.numbers(counted.get("thrown"));
        assertTrue(thrown.size() == 2 && thrown.get(0) > 0 && Collections.max(thrown) <= 100, thrown.toString());
    }

    static final StringBuilder TRACE = new StringBuilder();

    @State
    public static class Steps {
        @Setup
        public void setUp() {
            TRACE.append('S');
        }

        @Setup(Level.Iteration)
        public void iterationSetUp() {
            TRACE.append('s');
        }

        @TearDown(Level.Iteration)
        public void iterationCleanUp() {
            TRACE.append('c');
        }

        @TearDown
        public void cleanUp() {
            TRACE.append('C');
        }
    }

    static class Traced {
        @Benchmark
        void body(Steps steps) {
            TRACE.append('b');
        }
    }

    @Test
    void stepsSurroundTheirIterations() {
        TRACE.setLength(0);
        Program program = Program.of(Traced.class);
        program.open("body");
        program.ask("measure workload 2 3 0");
        program.ask("measure workload 1 1 2");
        program.ask("measure overhead 2 5 1");
        program.check();
        program.ask("close");
        assertEquals("S" + "sbbbc" + "sbbbc" + "sbbc" + "sbc" + "sbc" + "C", TRACE.toString());
    }

    static class Failing {
        int depth;

        @Benchmark
        int throwing() {
            return new int[depth][3].length + new int[depth][0].length + new int[depth].clone()[3];
        }

        @Benchmark
        int endless() {
            return endless() + 1;
        }

        @Benchmark
        void straying() throws InterruptedException {
            Thread other = new Thread(() -> {
                throw new IllegalStateException("in another thread");
            });
            other.start();
            other.join();
        }

        private static final class Broken {
            static final int VALUE = Integer.parseInt("none");
        }

        @Benchmark
        int wrapping() {
            return Broken.VALUE;
        }

        @Benchmark
        Object silent() {
            return new Object() {
                @Override
                public String toString() {
                    throw new IllegalStateException("asked");
                }
            };
        }
    }

    /** The failure message of a body that throws. */
    private static String said(String name, String type) {
        Program program = Program.of(Failing.class);
        program.open(name);
        JsonObject thrown = program.ask("measure workload 1 1 0");
        assertEquals("exception", thrown.get("kind").getAsString());
        assertEquals("body", thrown.get("step").getAsString());
        assertEquals(type, thrown.get("type").getAsString());
        assertEquals("BodyTest.java", thrown.get("file").getAsString());
        assertTrue(thrown.get("line").getAsInt() > 100);
        return thrown.get("message").getAsString();
    }

    @Test
    void aFailureSaysWhatHappenedAndWhere() {
        assertContains("Index 3 out of bounds", said("throwing", "ArrayIndexOutOfBoundsException"));
        assertContains("look for endless recursion", said("endless", "StackOverflowError"));
        assertContains("in another thread", said("straying", "IllegalStateException"));
        assertContains("caused by java.lang.NumberFormatException: For input string: \"none\"", said("wrapping", "ExceptionInInitializerError"));
    }

    @Test
    void aResultWhoseTextThrowsHasNone() {
        Program program = Program.of(Failing.class);
        program.open("silent");
        assertNull(program.check());
    }

    static class Sampled {
        int n = 1000;

        int more(int y, int i) {
            return y * y + i;
        }

        @Benchmark
        int body() {
            int y = n;
            for (int i = 0; i < n; i++) {
                y = more(y, i);
            }
            return y;
        }
    }

    @Test
    void stacksOfSamplesBeginAtTheBody() {
        Program program = Program.of(Sampled.class);
        program.open("body");
        // The number of samples depends on the machine; their owner does not.
        for (String line : Program.texts(program.ask("diagnose profile 2 100000 0").get("stacks"))) {
            assertTrue(line.startsWith("dev.tare.BodyTest$Sampled.body") || !line.contains("tare.child"), line);
        }
    }
}
