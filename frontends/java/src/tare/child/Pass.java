package tare.child;

/** A diagnoser's handling of the iterations of a request. Never used while timing. */
abstract class Pass {
    private final Opened opened;
    private final double[] operations;

    Pass(Opened opened, int iterations) {
        this.opened = opened;
        operations = new double[opened.countsOperations() ? iterations : 0];
    }

    /** Called before the invocations of an iteration. */
    void before(int iteration) {
    }

    /** Called after them. */
    void after(int iteration) {
    }

    final void run(int iterations, long invocations, long lead) {
        if (lead > 0) {
            opened.iterationSetUp();
            repeat(lead);
            opened.iterationCleanUp();
        }
        for (int i = 0; i < iterations; i++) {
            opened.iterationSetUp();
            before(i);
            repeat(invocations);
            after(i);
            Strays.throwAny("body");
            if (operations.length > 0) {
                operations[i] = opened.iterationOperations();
            }
            opened.iterationCleanUp();
        }
    }

    private void repeat(long invocations) {
        try {
            opened.repeater.run(invocations);
        } catch (Throwable thrown) {
            throw new Thrown("body", thrown);
        }
    }

    final Json reply(Json metrics) {
        Json reply = new Json("diagnosed").add("metrics", metrics);
        return operations.length > 0 ? reply.add("operations", operations) : reply;
    }
}
