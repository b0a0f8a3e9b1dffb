package tare.child;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The child of the protocol (spec/protocol.md; R1, R2, ... are its rules). */
final class Child {
    static final String FRONT_END = "tare-java 0.1.0";
    private static final String REHEARSAL = "hello 1 metrics events windows\nlist\nopen 0 7\ncheck\nmeasure workload 1 1 0\n"
        + "measure workload 2 20 5 2\nmeasure overhead 1 20 5 2\ncollect\nclose\nbye\n";
    private static final String PROFILE = "profile";
    /** The Flight Recorder is a module that a runtime may lack. */
    private static final boolean HAS_RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    /** R11: what is answered in which state. */
    private static final Set<String> READY = Set.of("hello", "list", "set", "open", "bye");
    private static final Set<String> OPENED = Set.of("hello", "check", "measure", "diagnose", "collect", "close", "bye");

    private final Catalog catalog;
    private final BufferedReader in;
    private final OutputStream out;
    private boolean isOver;
    /** The process ends, and has said why. */
    private boolean isLeaving;
    private Opened opened;
    /** The request that is being answered. */
    private volatile String verb = "";

    Child(Catalog catalog, InputStream in, OutputStream out) {
        this.catalog = catalog;
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
        this.out = out;
    }

    /** Answers requests until there are no more. `link` is `fd:R,W`. */
    static void serve(Catalog catalog, String link) throws IOException {
        if (!link.matches("fd:\\d+,\\d+")) {
            System.err.println("tare: the link `" + link + "` has a form that this front end does not know");
            Runtime.getRuntime().halt(2);
        }
        String[] numbers = link.substring(3).split(",");
        Strays.watch();
        Watch.begin();
        Child child = new Child(catalog, new FileInputStream("/dev/fd/" + numbers[0]), new FileOutputStream("/dev/fd/" + numbers[1]));
        Exit.watch(child);
        while (!child.isOver) {
            String line = child.line();
            Watch.request++;
            child.answer(line);
            Watch.request++;
        }
        Watch.limitExit();
        System.exit(0);
    }

    /** Answers the requests of a process with one benchmark, and sends the replies nowhere. */
    static void rehearse(Catalog catalog) throws IOException {
        Strays.watch();
        Watch.begin();
        InputStream requests = new ByteArrayInputStream(REHEARSAL.getBytes(StandardCharsets.US_ASCII));
        Child child = new Child(catalog, requests, OutputStream.nullOutputStream());
        while (!child.isOver) {
            child.answer(child.line());
        }
    }

    /** A request without its end. */
    private String line() throws IOException {
        String line = in.readLine();
        if (line == null) {
            Runtime.getRuntime().halt(0);
        }
        return line;
    }

    synchronized void reply(Json json) {
        if (isLeaving) {
            return;
        }
        try {
            out.write(json.line());
            out.flush();
        } catch (IOException gone) {
            Runtime.getRuntime().halt(0);
        }
    }

    String verb() {
        return verb;
    }

    /** The last reply, of a process that ends. Null: nothing is known. */
    synchronized void leave(Json last) {
        if (last != null) {
            reply(last);
            isLeaving = true;
        }
    }

    void answer(String line) {
        String[] words = line.split(" ");
        if (!(opened == null ? READY : OPENED).contains(words[0])) {
            System.err.println("error: tare cannot answer `" + line + "` here"); // R9
            Runtime.getRuntime().halt(2);
        }
        try {
            verb = words[0];
            dispatch(words[0], Arrays.copyOfRange(words, 1, words.length));
            verb = "";
        } catch (Refused refused) {
            Json error = new Json("error").add("kind", refused.kind).add("message", refused.getMessage());
            reply(refused.kind.equals("version") ? error.add("versions", List.of(1)) : error);
        } catch (Thrown thrown) {
            reply(thrown.reply());
        } catch (OutOfMemoryError full) {
            reply(new Json("error").add("kind", "not-supported").add("message", "there is not enough memory: " + full.getMessage()));
        }
    }

    private void dispatch(String verb, String[] arguments) {
        switch (verb) {
            case "hello":
                hello(arguments);
                break;
            case "list":
                catalog.list(this);
                break;
            case "set":
                set(arguments);
                break;
            case "open":
                open(arguments);
                break;
            case "check":
                checkBody();
                break;
            case "measure":
                measure(arguments);
                break;
            case "diagnose":
                diagnose(arguments);
                break;
            case "collect":
                Machine.collect();
                reply(new Json("collected").add("live_bytes", Machine.live()));
                break;
            case "close":
                Opened closed = opened;
                opened = null;
                closed.cleanUp();
                reply(new Json("closed"));
                break;
            default:
                bye();
        }
    }

    private void hello(String[] arguments) {
        if (number(arguments[0]) != 1) {
            throw new Refused("version", "this child speaks version 1");
        }
        Probes.warm();
        List<String> capabilities = new ArrayList<>(List.of("probe", "windows", "collect", "parameters", "diagnose"));
        if (Machine.hasCpu()) {
            capabilities.add("cpu");
        }
        if (Machine.HAS_SWITCHES) {
            capabilities.addAll(List.of("switches", "waits"));
        }
        if (Compiler.isCounted()) {
            capabilities.add("compilations");
        }
        List<Json> metrics = new ArrayList<>();
        if (Machine.hasAllocated()) {
            metrics.add(new Json().add("name", "allocated_bytes").add("unit", "B").add("better", "lower"));
        }
        metrics.add(new Json().add("name", "collections_0").add("better", "lower"));
        metrics.add(new Json().add("name", "collections_1").add("better", "lower"));
        boolean isWatched = Compiler.isWatched();
        reply(new Json("hello").add("protocol", 1).add("language", "java").add("front_end", FRONT_END).add("runtime", runtime())
            .add("flags", Options.ofUser()).add("optimised", Options.areOptimised()).add("debugger", Options.haveDebugger()).add("clock", "System.nanoTime")
            .add("clock_resolution_ns", resolution()).add("unroll", 1).add("probe_cycles", Probes.CHAIN_STEPS)
            .add("width_additions", Probes.WIDTH_STEPS).add("width_per_process", true).add("width_per_runtime", true)
            .add("compiles_late", true).add("compiles_by_clock", isWatched).add("compiles_by_count", isWatched).add("collects", true)
            .add("metrics", metrics).add("diagnosers", diagnosers()).add("capabilities", capabilities));
    }

    private static List<Json> diagnosers() {
        Json profile = new Json().add("name", PROFILE).add("metrics", List.of()).add("gives", List.of("stacks"));
        return HAS_RECORDER ? List.of(MemoryPass.declared(), profile, ExceptionPass.declared()) : List.of(MemoryPass.declared());
    }

    private static String runtime() {
        return "JDK " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")";
    }

    /** The smallest step of the clock: the least difference above 0 between two lengths of pairs of readings. */
    private static long resolution() {
        TreeSet<Long> lengths = new TreeSet<>();
        for (int i = 0; i < 2000; i++) {
            long begin = System.nanoTime();
            lengths.add(System.nanoTime() - begin);
        }
        long least = Long.MAX_VALUE;
        Long before = null;
        for (long length : lengths) {
            least = before == null ? least : Math.min(least, length - before);
            before = length;
        }
        return least == Long.MAX_VALUE ? Math.max(1, lengths.first()) : least;
    }

    private void set(String[] arguments) {
        List<String> words = new ArrayList<>();
        for (String word : arguments) {
            words.add(unquoted(word));
        }
        try {
            reply(new Json("set").add("benchmarks", catalog.set(words.get(0), words.subList(1, words.size()))));
        } catch (IllegalArgumentException wrong) {
            throw new Refused("bad-value", wrong.getMessage());
        }
    }

    private void open(String[] arguments) {
        Opened made = new Opened(catalog.cases().get((int) number(arguments[0])), number(arguments[1]));
        Long operations = made.operations();
        java.util.Map<String, Object> rates = made.rates();
        Strays.throwAny("set-up");
        Measurement.warm(made);
        opened = made;
        reply(new Json("opened").add("operations", operations).add("rates", rates.isEmpty() ? null : rates));
    }

    private void checkBody() {
        Object result = opened.check();
        Strays.throwAny("body");
        String text = opened.benchmark.hasOwnTime() ? null : Texts.of(result);
        Json json = new Json("checked");
        if (text == null) {
            reply(json.addNull("digest").addNull("text"));
        } else {
            reply(json.add("digest", Texts.digest(text)).add("text", Texts.beginning(text, 200)));
        }
    }

    private void measure(String[] arguments) {
        long iterations = number(arguments[1]);
        long invocations = number(arguments[2]);
        long lead = number(arguments[3]);
        long windows = arguments.length > 4 ? number(arguments[4]) : 0;
        boolean isWorkload = arguments[0].equals("workload");
        Measurement measurement = new Measurement(opened, isWorkload, (int) iterations, invocations, (int) windows);
        measurement.run(lead);
        reply(measurement.reply());
    }

    private void diagnose(String[] arguments) {
        int count = (int) number(arguments[1]);
        long invocations = number(arguments[2]);
        long lead = number(arguments[3]);
        switch (arguments[0]) {
            case PROFILE:
                reply(Flight.of(opened, count, invocations, lead));
                break;
            case ExceptionPass.NAME:
                reply(ExceptionPass.of(opened, count, invocations, lead));
                break;
            default:
                reply(MemoryPass.of(opened, count, invocations, lead));
        }
    }

    private void bye() {
        try {
            if (opened != null) {
                opened.cleanUp();
            }
        } catch (Thrown thrown) {
            System.err.println("error in clean-up: " + thrown.getCause());
        }
        opened = null;
        reply(new Json("bye"));
        isOver = true;
    }

    /** As 64 bits without a sign. */
    private static long number(String text) {
        return Long.parseUnsignedLong(text);
    }

    /** The text of a word: `%XX` are its bytes, `%` alone is the empty text. */
    private static String unquoted(String word) {
        return word.equals("%") ? "" : URLDecoder.decode(word.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
