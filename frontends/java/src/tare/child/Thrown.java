package tare.child;

/** An exception of the user's code, with its step. */
final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1;
    final String step;

    Thrown(String step, Throwable cause) {
        super(step, cause, false, false);
        this.step = step;
    }

    Json reply() {
        Throwable cause = getCause();
        String message = message(cause);
        if (cause instanceof Skipped) {
            return new Json("error").add("kind", "skipped").add("message", message);
        }
        Json json = new Json("error").add("kind", "exception").add("step", step).add("message", message)
            .add("type", cause.getClass().getSimpleName());
        boolean isWrapped = cause.getMessage() == null && cause.getCause() != null;
        StackTraceElement inner = isWrapped ? place(cause.getCause().getStackTrace()) : null;
        StackTraceElement place = inner == null ? place(cause.getStackTrace()) : inner;
        return place == null ? json : json.add("file", place.getFileName()).add("line", place.getLineNumber());
    }

    private static String message(Throwable cause) {
        if (cause instanceof StackOverflowError) {
            return "the stack has no more room: look for endless recursion; `--flags -Xss8m` makes it larger";
        }
        String message = cause.getMessage() == null ? withoutMessage(cause) : cause.getMessage();
        if (cause instanceof OutOfMemoryError) {
            return message + ": the heap may have " + (Runtime.getRuntime().maxMemory() >> 20) + " MB; `--flags -Xmx4g` sets another limit";
        }
        return message;
    }

    /** The cause of an error that only wraps another one, such as that of a static initialiser. */
    private static String withoutMessage(Throwable cause) {
        Throwable inner = cause.getCause();
        return inner == null ? "without a message" : "caused by " + inner;
    }

    /** The innermost line of the user's code. */
    static StackTraceElement place(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (isUsers(frame)) {
                return frame;
            }
        }
        return null;
    }

    /** Whether a frame belongs neither to the front end nor to the library. */
    static boolean isUsers(StackTraceElement frame) {
        String name = frame.getClassName();
        boolean isOther = name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.") || name.startsWith("javax.")
            || name.startsWith("tare.") || name.endsWith(LoopWriter.SUFFIX);
        return !isOther && frame.getFileName() != null && frame.getLineNumber() > 0;
    }
}
