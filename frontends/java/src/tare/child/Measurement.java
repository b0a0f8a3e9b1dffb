package tare.child;

/** The columns of a request, one number per iteration. Everything is allocated before the first clock reading. */
final class Measurement {
    /** Invocations of the empty body with each request, so that its loop is compiled by the time the workload loop is. */
    private static final int EMPTY_CALLS = 64;
    private static final int EMPTY_INVOCATIONS = 64;

    private final Opened opened;
    private final boolean isWorkload;
    private final long invocations;
    private final int windows;
    private final double[] elapsed;
    private final long[] cpu;
    private final long[] probeBefore;
    private final long[] probeAfter;
    private final long[] switches;
    private final long[] waits;
    private final long[] compilations;
    private final long[] allocated;
    private final long[] young;
    private final long[] old;
    private final double[] operations;
    private final long[] marks;
    private final double[] windowNs;
    private final double[] widthNs;
    private final int iterations;
    private boolean isCompiling;

    Measurement(Opened opened, boolean isWorkload, int iterations, long invocations, int windows) {
        this.opened = opened;
        this.isWorkload = isWorkload;
        this.iterations = iterations;
        this.invocations = invocations;
        this.windows = windows;
        elapsed = new double[iterations];
        cpu = new long[iterations];
        probeBefore = new long[iterations];
        probeAfter = new long[iterations];
        switches = new long[iterations];
        waits = new long[iterations];
        compilations = new long[iterations];
        allocated = new long[iterations];
        young = new long[iterations];
        old = new long[iterations];
        operations = new double[isWorkload && opened.countsOperations() ? iterations : 0];
        marks = new long[2 * windows + 2];
        windowNs = new double[iterations * windows];
        widthNs = new double[windows == 0 ? 0 : iterations * (windows + 1)];
    }

    /** Loads the measuring code with the empty body. It is never compiled (`CompileCommand=exclude`), so its cost is constant over all visits. */
    static void load(Opened opened) {
        StackPlace.makeAll();
        for (int windows = 0; windows < 2; windows++) {
            new Measurement(opened, false, 1, 1, windows).iteration(0);
        }
    }

    void run(long lead) {
        for (int i = 0; isWorkload && i < EMPTY_CALLS; i++) {
            opened.overhead.run(opened.state, EMPTY_INVOCATIONS);
        }
        if (isWorkload && opened.allocates && !opened.isFilled) {
            opened.isFilled = true;
            Collectors.fillYoung();
        }
        long before = Compiler.count();
        opened.stackPlace().run(this, lead);
        if (!isWorkload) {
            return;
        }
        boolean isCompiled = Compiler.count() != before;
        boolean isBeside = false;
        double sum = 0;
        for (int i = 0; i < iterations; i++) {
            isBeside |= compilations[i] > 0;
            opened.allocates |= allocated[i] > 0;
            sum += elapsed[i];
        }
        // Visits have a lead-in, and the host does not ask during visits.
        boolean isBusy = lead == 0 && Compiler.isBusy();
        opened.repeater.look(iterations * invocations * Math.max(1, windows), sum, isBeside, isCompiled || isBusy);
        isCompiling = lead == 0 && opened.repeater.isEarly();
    }

    /** Runs the lead-in and the iterations, from a position on the stack. */
    void iterations(long lead) {
        if (lead > 0) {
            leadIn(lead);
        }
        for (int i = 0; i < iterations; i++) {
            if (isWorkload) {
                opened.iterationSetUp();
            }
            iteration(i);
            if (isWorkload) {
                Strays.throwAny("body");
                if (operations.length > 0) {
                    operations[i] = opened.iterationOperations();
                }
                opened.iterationCleanUp();
            }
        }
    }

    private void leadIn(long count) {
        if (!isWorkload) {
            opened.overhead.run(opened.state, count);
            return;
        }
        opened.iterationSetUp();
        try {
            opened.repeater.run(count);
        } catch (Throwable thrown) {
            throw new Thrown("body", thrown);
        }
        opened.iterationCleanUp();
    }

    private void iteration(int i) {
        if (Machine.HAS_SWITCHES) {
            Machine.readSwitches();
            switches[i] = -Machine.switches;
            waits[i] = -Machine.waits;
        }
        probeBefore[i] = Probes.chainNs();
        young[i] = -Collectors.count(false);
        old[i] = -Collectors.count(true);
        compilations[i] = -Compiler.count();
        cpu[i] = -Machine.cpuNs();
        // Reading the counter may itself allocate: as much as between these two readings.
        long first = Machine.allocated();
        long second = Machine.allocated();
        timed(i);
        allocated[i] = Math.max(0, Machine.allocated() - second - (second - first));
        cpu[i] += Machine.cpuNs();
        compilations[i] += Compiler.count();
        old[i] += Collectors.count(true);
        young[i] += Collectors.count(false);
        probeAfter[i] = Probes.chainNs();
        if (Machine.HAS_SWITCHES) {
            Machine.readSwitches();
            switches[i] += Machine.switches;
            waits[i] += Machine.waits;
        }
    }

    private void timed(int i) {
        try {
            if (windows > 0) {
                cut(i);
                return;
            }
            long own = 0;
            long begin = System.nanoTime();
            if (isWorkload) {
                own = opened.repeater.run(invocations);
            } else {
                opened.overhead.run(opened.state, invocations);
            }
            long ns = System.nanoTime() - begin;
            elapsed[i] = isWorkload && opened.hasOwnTime ? Math.max(0, own) : ns;
        } catch (Throwable thrown) {
            throw new Thrown("body", thrown);
        }
    }

    /** Runs an iteration of windows, with a reading of the width probe before the first and after each. */
    private void cut(int i) {
        marks[0] = System.nanoTime();
        Probes.width();
        marks[1] = System.nanoTime();
        for (int end = 2; end < marks.length; end += 2) {
            if (isWorkload) {
                opened.repeater.run(invocations);
            } else {
                opened.overhead.run(opened.state, invocations);
            }
            marks[end] = System.nanoTime();
            Probes.width();
            marks[end + 1] = System.nanoTime();
        }
        double sum = 0;
        for (int w = 0; w <= windows; w++) {
            widthNs[i * (windows + 1) + w] = Math.max(1, marks[2 * w + 1] - marks[2 * w]);
            if (w < windows) {
                long ns = marks[2 * w + 2] - marks[2 * w + 1];
                windowNs[i * windows + w] = ns;
                sum += ns;
            }
        }
        elapsed[i] = sum;
    }

    Json reply() {
        Json reply = new Json("measured").add("elapsed_ns", elapsed);
        if (Machine.hasCpu()) {
            reply.add("cpu_ns", cpu);
        }
        reply.add("probe_before_ns", probeBefore).add("probe_after_ns", probeAfter);
        if (Machine.HAS_SWITCHES) {
            reply.add("switches", switches).add("waits", waits);
        }
        if (Compiler.isCounted()) {
            reply.add("compilations", compilations);
        }
        if (windows > 0) {
            reply.add("window_ns", windowNs).add("width_ns", widthNs);
        }
        if (operations.length > 0) {
            reply.add("operations", operations);
        }
        if (isCompiling && Compiler.isWatched()) {
            reply.add("events", java.util.Collections.singletonList(
                new Json().add("iteration", iterations - 1).add("kind", "compiling").add("at_ns", 0).add("ns", 0)));
        }
        return reply.add("metrics", metrics());
    }

    private Json metrics() {
        Json metrics = new Json();
        if (Machine.hasAllocated()) {
            metrics.add("allocated_bytes", allocated);
        }
        return metrics.add("collections_0", young).add("collections_1", old);
    }
}
