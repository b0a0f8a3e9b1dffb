package tare.child;

import java.util.ArrayList;
import java.util.List;

/** The diagnoser `memory`: the allocations of all threads of the process, and what stays alive. */
final class MemoryPass extends Pass {
    static final String NAME = "memory";
    private static final String ALL = "allocated_bytes_all_threads";
    private static final String KEPT = "kept_bytes";

    private final double[] allocated;
    private final double[] kept;
    private long live;
    private long bytes;
    private long asking;

    private MemoryPass(Opened opened, int iterations) {
        super(opened, iterations);
        allocated = new double[iterations];
        kept = new double[iterations];
    }

    /** The declaration for `hello`. */
    static Json declared() {
        List<Json> metrics = new ArrayList<>();
        if (Machine.hasAllocated()) {
            metrics.add(new Json().add("name", ALL).add("unit", "B").add("better", "lower"));
        }
        metrics.add(new Json().add("name", KEPT).add("unit", "B").add("better", "lower").add("per", "iteration"));
        return new Json().add("name", NAME).add("metrics", metrics);
    }

    static Json of(Opened opened, int iterations, long invocations, long lead) {
        MemoryPass pass = new MemoryPass(opened, iterations);
        pass.run(iterations, invocations, lead);
        Json metrics = new Json();
        if (Machine.hasAllocated()) {
            metrics.add(ALL, pass.allocated);
        }
        return pass.reply(metrics.add(KEPT, pass.kept));
    }

    @Override
    void before(int iteration) {
        Machine.collect();
        live = Machine.live();
        // Reading the counter may itself allocate: as much as between these two readings.
        long first = Machine.allocatedByAll();
        bytes = Machine.allocatedByAll();
        asking = bytes - first;
    }

    @Override
    void after(int iteration) {
        allocated[iteration] = Math.max(0, Machine.allocatedByAll() - bytes - asking);
        Machine.collect();
        kept[iteration] = Math.max(0, Machine.live() - live);
    }
}
