// The conformance benchmarks (spec/protocol.md, section 8): `tare conformance` checks counts and results with them.

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tare.Benchmark;
import tare.Level;
import tare.Operations;
import tare.Param;
import tare.Results;
import tare.Setup;
import tare.State;
import tare.Strategy;
import tare.Tare;
import tare.TearDown;

public class Conformance {
    private static final String GROUP = "conformance";
    private static final StringBuilder TRACE = new StringBuilder();
    private static int coldStarts;
    private static int monitored;
    private int addend = 1;

    static void leave(char letter, char thrown) {
        if (TRACE.length() < 1000) {
            TRACE.append(letter);
        }
        if (letter == thrown) {
            throw new IllegalStateException("it throws");
        }
    }

    static String body(Steps steps) {
        leave('b', steps.thrown());
        return TRACE.toString();
    }

    @State
    public static class Counted {
        long invocations;

        @Setup
        public void begin() {
            invocations = 0;
        }
    }

    @State
    public static class Steps {
        char thrown() {
            return ' ';
        }

        @Setup
        public void setUp() {
            leave('S', thrown());
        }

        @Setup(Level.Iteration)
        public void iterationSetUp() {
            leave('s', thrown());
        }

        @TearDown(Level.Iteration)
        public void iterationCleanUp() {
            leave('c', thrown());
        }

        @TearDown
        public void cleanUp() {
            leave('C', thrown());
        }
    }

    public static class InSetUp extends Steps {
        @Override
        char thrown() {
            return 'S';
        }
    }

    public static class InIterationSetUp extends Steps {
        @Override
        char thrown() {
            return 's';
        }
    }

    public static class InBody extends Steps {
        @Override
        char thrown() {
            return 'b';
        }
    }

    public static class InIterationCleanUp extends Steps {
        @Override
        char thrown() {
            return 'c';
        }
    }

    public static class InCleanUp extends Steps {
        @Override
        char thrown() {
            return 'C';
        }
    }

    @State
    public static class Twelve {
        long found;

        @Setup
        public void read() {
            found = 12;
        }

        @Operations
        public long operations() {
            return found;
        }
    }

    @State
    public static class Rising {
        int found;

        @Setup
        public void begin() {
            found = 0;
        }

        @Setup(Level.Iteration)
        public void next() {
            found++;
        }

        @Operations(Level.Iteration)
        public int operations() {
            return found;
        }
    }

    @State
    public static class Made {
        String maker;

        @Setup
        public void make() throws Exception {
            maker = Tare.oncePerRun("maker", folder -> String.valueOf(ProcessHandle.current().pid()));
        }
    }

    @State
    public static class Seven {
        @Param("7")
        int n;
    }

    @Benchmark(group = GROUP, results = Results.Change)
    public long count(Counted state) {
        return ++state.invocations;
    }

    @Benchmark(group = GROUP, name = "cold-start", strategy = Strategy.ColdStart, results = Results.Change)
    public int coldStart() {
        return ++coldStarts;
    }

    @Benchmark(group = GROUP, strategy = Strategy.Monitoring, results = Results.Change)
    public int monitoring() {
        return ++monitored;
    }

    @Benchmark(group = GROUP, results = Results.Change)
    public String trace(Steps steps) {
        return body(steps);
    }

    @Benchmark(group = GROUP, name = "throws-set-up", results = Results.Change)
    public String throwsSetUp(InSetUp steps) {
        return body(steps);
    }

    @Benchmark(group = GROUP, name = "throws-iteration-set-up", results = Results.Change)
    public String throwsIterationSetUp(InIterationSetUp steps) {
        return body(steps);
    }

    @Benchmark(group = GROUP, name = "throws-body", results = Results.Change)
    public String throwsBody(InBody steps) {
        return body(steps);
    }

    @Benchmark(group = GROUP, name = "throws-iteration-clean-up", results = Results.Change)
    public String throwsIterationCleanUp(InIterationCleanUp steps) {
        return body(steps);
    }

    @Benchmark(group = GROUP, name = "throws-clean-up", results = Results.Change)
    public String throwsCleanUp(InCleanUp steps) {
        return body(steps);
    }

    @Benchmark(group = GROUP)
    public long operations(Twelve state) {
        return state.found;
    }

    @Benchmark(group = GROUP, name = "iteration-operations", results = Results.Change)
    public int iterationOperations(Rising state) {
        return state.found;
    }

    @Benchmark(group = GROUP, results = Results.Change)
    public String once(Made state) {
        return state.maker;
    }

    @Benchmark(group = GROUP)
    public int parameter(Seven state) {
        return state.n;
    }

    private int add(int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            sum = (sum + addend) ^ i;
        }
        return sum;
    }

    @Benchmark(group = GROUP, name = "cost-1")
    public int costOne() {
        return add(100);
    }

    @Benchmark(group = GROUP, name = "cost-8")
    public int costEight() {
        return add(800);
    }

    @Benchmark(group = GROUP, name = "text-integer")
    public int integer() {
        return -42;
    }

    @Benchmark(group = GROUP, name = "text-big")
    public BigInteger big() {
        return new BigInteger("18446744073709551615");
    }

    @Benchmark(group = GROUP, name = "text-float")
    public double real() {
        return 0.1;
    }

    @Benchmark(group = GROUP, name = "text-whole")
    public float whole() {
        return 2;
    }

    @Benchmark(group = GROUP, name = "text-exponent")
    public double exponent() {
        return 1e21;
    }

    @Benchmark(group = GROUP, name = "text-true")
    public boolean truth() {
        return true;
    }

    @Benchmark(group = GROUP, name = "text-text")
    public String text() {
        return "\u00e4 \"\t";
    }

    @Benchmark(group = GROUP, name = "text-long")
    public String longText() {
        return "\u00e4".repeat(300);
    }

    @Benchmark(group = GROUP, name = "text-list")
    public List<Integer> list() {
        return Arrays.asList(1, 2, 3);
    }

    @Benchmark(group = GROUP, name = "text-texts")
    public String[] texts() {
        return new String[] {"a", "\"\n"};
    }

    @Benchmark(group = GROUP, name = "text-nothing")
    public Optional<String> nothing() {
        return Optional.empty();
    }
}
