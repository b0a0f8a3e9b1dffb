package tare.child;

import java.util.Arrays;
import java.util.Map;

/** Finds the caller of `System.exit` while a benchmark is open, so that the failure has a line. */
final class Exit extends Thread {
    /** The step of the user's code for each request. */
    private static final Map<String, String> STEPS =
        Map.of("open", "set-up", "check", "body", "measure", "body", "diagnose", "body", "close", "clean-up");
    private final Child child;

    private Exit(Child child) {
        super("tare-exit");
        this.child = child;
    }

    static void watch(Child child) {
        Runtime.getRuntime().addShutdownHook(new Exit(child));
    }

    @Override
    public void run() {
        String step = STEPS.get(child.verb());
        if (step == null) {
            return;
        }
        for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
            for (int at = 0; at < stack.length; at++) {
                if (stack[at].getClassName().equals("java.lang.Runtime") && stack[at].getMethodName().equals("exit")) {
                    child.leave(reply(step, Arrays.copyOfRange(stack, at, stack.length)));
                    return;
                }
            }
        }
    }

    /** Returns null if the user's code did not call it. */
    private static Json reply(String step, StackTraceElement[] stack) {
        StackTraceElement place = Thrown.place(stack);
        return place == null ? null : new Json("error").add("kind", "exception").add("step", step)
            .add("message", "it calls `System.exit`, which ends the process").add("file", place.getFileName()).add("line", place.getLineNumber());
    }
}
