package tare.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * The diagnoser `exceptions`: the Flight Recorder records each exception when it is created. This class is not loaded in other processes.
 */
final class ExceptionPass extends Pass {
    static final String NAME = "exceptions";
    private static final String[] EVENTS = {"jdk.JavaExceptionThrow", "jdk.JavaErrorThrow"};

    private final double[] thrown;
    private Recording recording;

    private ExceptionPass(Opened opened, int iterations) {
        super(opened, iterations);
        thrown = new double[iterations];
    }

    /** The declaration for `hello`. */
    static Json declared() {
        return new Json().add("name", NAME).add("metrics", java.util.List.of(new Json().add("name", "thrown").add("better", "lower")));
    }

    static Json of(Opened opened, int iterations, long invocations, long lead) {
        ExceptionPass pass = new ExceptionPass(opened, iterations);
        pass.run(iterations, invocations, lead);
        return pass.reply(new Json().add("thrown", pass.thrown));
    }

    @Override
    void before(int iteration) {
        recording = new Recording();
        for (String event : EVENTS) {
            recording.enable(event).withoutStackTrace();
        }
        recording.start();
    }

    @Override
    void after(int iteration) {
        try (Recording stopped = recording) {
            stopped.stop();
            Path file = Files.createTempFile("tare-exceptions", ".jfr");
            try {
                stopped.dump(file);
                thrown[iteration] = RecordingFile.readAllEvents(file).stream().filter(event -> event.getEventType().getName().endsWith("Throw")).count();
            } finally {
                Files.delete(file);
            }
        } catch (IOException | IllegalStateException failed) {
            throw new Refused("not-supported", "the Flight Recorder failed: " + failed);
        }
    }
}
