package tare.child;

import java.util.ArrayList;
import java.util.List;

/** The diagnoser `memory`: what all threads of the process allocate, and what stays alive. Collecting never runs beside timing. */
final class MemoryPass {
    static final String NAME = "memory";
    private static final String ALL = "allocated_bytes_all_threads";
    private static final String KEPT = "kept_bytes";

    private final Opened opened;
    private final double[] allocated;
    private final double[] kept;
    private final double[] operations;

    private MemoryPass(Opened opened, int iterations) {
        this.opened = opened;
        allocated = new double[iterations];
        kept = new double[iterations];
        operations = new double[opened.countsOperations() ? iterations : 0];
    }

    /** What `hello` says of it. */
    static Json declared() {
        List<Json> metrics = new ArrayList<>();
        if (Machine.hasAllocated()) {
            metrics.add(new Json().add("name", ALL).add("unit", "B").add("better", "lower"));
        }
        metrics.add(new Json().add("name", KEPT).add("unit", "B").add("better", "lower").add("per", "iteration"));
        return new Json().add("name", NAME).add("metrics", metrics);
    }

    /** Runs all iterations. */
    static Json run(Opened opened, int iterations, long invocations, long lead) {
        MemoryPass pass = new MemoryPass(opened, iterations);
        if (lead > 0) {
            pass.body(lead);
        }
        for (int i = 0; i < iterations; i++) {
            pass.iteration(i, invocations);
        }
        Json metrics = new Json();
        if (Machine.hasAllocated()) {
            metrics.add(ALL, pass.allocated);
        }
        Json reply = new Json("diagnosed").add("metrics", metrics.add(KEPT, pass.kept));
        return pass.operations.length > 0 ? reply.add("operations", pass.operations) : reply;
    }

    private void iteration(int i, long invocations) {
        opened.iterationSetUp();
        Machine.collect();
        long live = Machine.live();
        // Asking may allocate as well: as much as it did between these two.
        long first = Machine.allocatedByAll();
        long second = Machine.allocatedByAll();
        repeat(invocations);
        allocated[i] = Math.max(0, Machine.allocatedByAll() - second - (second - first));
        Machine.collect();
        kept[i] = Math.max(0, Machine.live() - live);
        Strays.throwAny("body");
        if (operations.length > 0) {
            operations[i] = opened.iterationOperations();
        }
        opened.iterationCleanUp();
    }

    private void body(long invocations) {
        opened.iterationSetUp();
        repeat(invocations);
        opened.iterationCleanUp();
    }

    private void repeat(long invocations) {
        try {
            opened.repeater.run(invocations);
        } catch (Throwable thrown) {
            throw new Thrown("body", thrown);
        }
    }
}
