package tare.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * The diagnoser `profile`: the Flight Recorder takes samples, including methods inlined by the compiler. This class is not loaded in other
 * processes.
 */
final class Flight extends Pass {
    private static final String[] EVENTS = {"jdk.ExecutionSample", "jdk.NativeMethodSample"};
    private static final Duration PERIOD = Duration.ofMillis(10);
    /** Some versions take only every second sample. */
    private static final Duration SELDOM = PERIOD.multipliedBy(2);
    /** The host's suffix for a method that is inlined into its caller. */
    private static final String INLINED = "_[i]";
    private static final String CUT = "[cut off]";
    private static final String TARE = "tare";
    /** Code of the virtual machine itself, such as what fills in the trace of an exception: the recorder takes no samples there. */
    private static final String UNSEEN = "(virtual machine)";

    private Flight(Opened opened, int iterations) {
        super(opened, iterations);
    }

    static Json of(Opened opened, int iterations, long invocations, long lead) {
        Flight pass = new Flight(opened, iterations);
        List<String> lines = new ArrayList<>();
        try (Recording recording = new Recording()) {
            for (String event : EVENTS) {
                recording.enable(event).withPeriod(PERIOD);
            }
            recording.start();
            long cpuNs = Machine.cpuNs();
            pass.run(iterations, invocations, lead);
            cpuNs = Machine.cpuNs() - cpuNs;
            recording.stop();
            Path file = Files.createTempFile("tare-samples", ".jfr");
            try {
                recording.dump(file);
                for (Map.Entry<String, Long> one : stacks(file, cpuNs / SELDOM.toNanos()).entrySet()) {
                    lines.add(one.getKey() + " " + one.getValue());
                }
            } finally {
                Files.delete(file);
            }
        } catch (IOException | IllegalStateException failed) {
            throw new Refused("not-supported", "the Flight Recorder failed: " + failed);
        }
        return pass.reply(new Json()).add("stacks", lines);
    }

    /** The samples of each stack. If most samples that are expected of this thread are missing, they count as a stack of their own. */
    private static Map<String, Long> stacks(Path own, long expected) throws IOException {
        Map<String, Long> found = new LinkedHashMap<>();
        long seen = 0;
        try (RecordingFile events = new RecordingFile(own)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                RecordedStackTrace stack = event.getStackTrace();
                if (stack == null || event.getEventType().getName().equals("jdk.NativeMethodSample") && isWaiting(stack)) {
                    continue;
                }
                RecordedThread thread = event.getThread("sampledThread");
                seen += thread != null && thread.getJavaThreadId() == Thread.currentThread().getId() ? 1 : 0;
                String text = folded(stack, thread);
                if (text != null) {
                    found.merge(text, 1L, Long::sum);
                }
            }
        }
        if (expected > 2 * seen) {
            found.put(UNSEEN, expected - seen);
        }
        return found;
    }

    /** A thread in native code may be working or waiting; waiting ones are recognised by their methods. */
    private static boolean isWaiting(RecordedStackTrace stack) {
        List<RecordedFrame> frames = stack.getFrames();
        if (frames.isEmpty()) {
            return true;
        }
        String name = name(frames.get(0));
        return name.endsWith(".park") || name.endsWith(".wait") || name.endsWith(".wait0") || name.endsWith(".sleep") || name.endsWith(".sleep0")
            || name.endsWith(".sleepNanos0") || name.contains(".poll") || name.contains(".epollWait") || name.contains(".accept")
            || name.contains(".waitForReferencePendingList") || name.startsWith("java.io.FileInputStream.read");
    }

    /** The stack from the body to the leaf; null for stacks of the front end between requests. */
    private static String folded(RecordedStackTrace stack, RecordedThread thread) {
        List<RecordedFrame> frames = stack.getFrames();
        List<String> names = new ArrayList<>();
        boolean isBody = false;
        boolean isOurs = false;
        for (int i = 0; i < frames.size() && !isBody; i++) {
            String name = name(frames.get(i));
            isBody = name.endsWith(LoopWriter.SUFFIX + ".run") || name.endsWith(LoopWriter.SUFFIX + ".once");
            isOurs |= name.startsWith("tare.child.");
            if (!isBody) {
                // Its caller comes after it in this list.
                boolean isInlined = "Inlined".equals(frames.get(i).getType());
                names.add(0, name + (isInlined ? INLINED : ""));
            }
        }
        if (!isBody && (isOurs || isJdks(thread))) {
            return isOurs ? TARE : null;
        }
        if (!isBody && stack.isTruncated()) {
            names.add(0, CUT);
        }
        // If the compiler does not keep results (before Java 17), a method of the front end does.
        if (names.isEmpty() || names.get(0).startsWith("tare.child.")) {
            return TARE;
        }
        if (isBody && names.get(0).endsWith(INLINED)) {
            // Inlined into the measuring loop, which is not shown.
            names.set(0, names.get(0).substring(0, names.get(0).length() - INLINED.length()));
        }
        return String.join(";", names);
    }

    private static boolean isJdks(RecordedThread thread) {
        String name = thread == null ? null : thread.getJavaName();
        return name != null && (name.startsWith("JFR ") || name.equals("Reference Handler") || name.equals("Finalizer") || name.equals("Common-Cleaner"));
    }

    private static String name(RecordedFrame frame) {
        String type = frame.getMethod() == null || frame.getMethod().getType() == null ? "?" : frame.getMethod().getType().getName();
        String method = frame.getMethod() == null ? "?" : frame.getMethod().getName();
        return (type + "." + method).replace(';', ':').replace(' ', '_');
    }
}
