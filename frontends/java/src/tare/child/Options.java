package tare.child;

import java.lang.management.ManagementFactory;
import java.util.List;

/** The options that the virtual machine was started with. */
final class Options {
    /** Prefixes of the options that Tare adds. */
    private static final String[] OURS = {
        "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,*TareLoop", "-XX:CompileCommand=exclude,*TarePlace", "-XX:CompileCommand=exclude,tare.child.", "-XX:CompileCommand=print,*TareLoop",
        "-XX:CompileCommand=blackhole,tare.", "-XX:CompileCommand=blackhole,org.openjdk.jmh.infra.Blackhole", "-Dtare.", "-XX:+UnlockExperimentalVMOptions", "-DcompilerBlackholesEnabled=true", "-XX:+ErrorFileToStderr",
        "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints", "-XX:+LogVMOutput", "-XX:-DisplayVMOutput", "-XX:LogFile=",
        "-XX:SharedArchiveFile=", "-Xlog:cds",
    };

    private Options() {
    }

    private static List<String> all() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    /** The user's options, without those of the front end. */
    static String ofUser() {
        StringBuilder text = new StringBuilder();
        for (String option : all()) {
            if (!isOurs(option)) {
                text.append(text.length() > 0 ? " " : "").append(option);
            }
        }
        return text.length() == 0 ? null : text.toString();
    }

    private static boolean isOurs(String option) {
        for (String own : OURS) {
            if (option.startsWith(own)) {
                return true;
            }
        }
        return false;
    }

    /** Whether no option slows code down. */
    static boolean areOptimised() {
        boolean isInterpreted = System.getProperty("java.vm.info", "").contains("interpreted");
        return !isInterpreted && !has("-XX:TieredStopAtLevel=");
    }

    static boolean haveDebugger() {
        return has("-agentlib:jdwp") || has("-Xrunjdwp");
    }

    private static boolean has(String begin) {
        for (String option : all()) {
            if (option.startsWith(begin)) {
                return true;
            }
        }
        return false;
    }
}
