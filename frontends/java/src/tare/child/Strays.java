package tare.child;

/** Uncaught exceptions of other threads of the body. */
final class Strays {
    private static volatile Throwable first;

    private Strays() {
    }

    static void watch() {
        Thread.setDefaultUncaughtExceptionHandler(new Thread.UncaughtExceptionHandler() {
            @Override
            public void uncaughtException(Thread thread, Throwable thrown) {
                System.err.print("Exception in thread \"" + thread.getName() + "\" ");
                thrown.printStackTrace();
                if (first == null) {
                    first = thrown;
                }
            }
        });
    }

    static void throwAny(String step) {
        Throwable thrown = first;
        if (thrown != null) {
            first = null;
            throw new Thrown(step, thrown);
        }
    }
}
