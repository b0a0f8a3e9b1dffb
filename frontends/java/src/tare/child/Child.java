package tare.child;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The child's side of the protocol (spec/protocol.md; R1, R2, ... are its rules). */
final class Child {
    static final String FRONT_END = "tare-java 0.1.0";
    private static final String REHEARSAL = "hello 1 metrics events windows\nlist\nopen 0 7\ncheck\nmeasure workload 1 1 0\n"
        + "measure workload 2 20 5 2\nmeasure overhead 1 20 5 2\ncollect\nclose\nbye\n";
    private static final String PROFILE = "profile";
    /** The Flight Recorder is a module that some runtimes lack. */
    private static final boolean HAS_RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    /** R11: the requests allowed in each state. */
    private static final Set<String> READY = Set.of("hello", "list", "set", "open", "bye");
    private static final Set<String> OPENED = Set.of("hello", "check", "measure", "diagnose", "collect", "close", "bye");

    private final Catalog catalog;
    private final InputStream in;
    private final OutputStream out;
    private byte[] buffer = new byte[4096];
    private int filled;
    /** The bounds of the request in the buffer. */
    private int from;
    private int end = -1;
    private boolean isOver;
    /** The process is ending, and has reported why. */
    private boolean isLeaving;
    private Opened opened;
    /** The request that is being answered. */
    private volatile String verb = "";

    Child(Catalog catalog, InputStream in, OutputStream out) {
        this.catalog = catalog;
        this.in = in;
        this.out = out;
    }

    /** Answers requests until the link is closed. `link` is `fd:R,W`. */
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
            child.read();
            Watch.request++;
            child.answer();
            Watch.request++;
        }
        Watch.limitExit();
        System.exit(0);
    }

    /** Answers the requests of a process with one benchmark and discards the replies. */
    static void rehearse(Catalog catalog) throws IOException {
        Strays.watch();
        Watch.begin();
        InputStream requests = new ByteArrayInputStream(REHEARSAL.getBytes(StandardCharsets.US_ASCII));
        Child child = new Child(catalog, requests, OutputStream.nullOutputStream());
        while (!child.isOver) {
            child.read();
            child.answer();
        }
    }

    /** Reads the next request. Parses words from bytes, so that this code triggers no compilations that could be mistaken for the body's. */
    void read() throws IOException {
        from = end + 1;
        end = from;
        while (true) {
            for (; end < filled; end++) {
                if (buffer[end] == '\n') {
                    return;
                }
            }
            if (filled == buffer.length) {
                buffer = Arrays.copyOfRange(buffer, from, from + (from == 0 ? 2 : 1) * buffer.length);
                filled -= from;
                end -= from;
                from = 0;
            }
            int more = in.read(buffer, filled, buffer.length - filled);
            if (more < 0) {
                Runtime.getRuntime().halt(0);
            }
            filled += more;
        }
    }

    /** The position of a word of the request; past the end if there are fewer. */
    private int place(int number) {
        int at = from;
        for (int left = number; left > 0 && at <= end; at++) {
            left -= at == end || buffer[at] == ' ' ? 1 : 0;
        }
        return at;
    }

    private boolean has(int number) {
        return place(number) <= end;
    }

    private String word(int number) {
        int begin = place(number);
        int length = 0;
        while (begin + length < end && buffer[begin + length] != ' ') {
            length++;
        }
        return new String(buffer, begin, length, StandardCharsets.ISO_8859_1);
    }

    /** Parses an unsigned 64-bit number. */
    private long number(int word) {
        long number = 0;
        for (int at = place(word); at < end && buffer[at] != ' '; at++) {
            number = 10 * number + buffer[at] - '0';
        }
        return number;
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

    /** Sends the last reply of a process that ends; null if the cause is unknown. */
    synchronized void leave(Json last) {
        if (last != null) {
            reply(last);
            isLeaving = true;
        }
    }

    void answer() {
        String asked = word(0);
        if (!(opened == null ? READY : OPENED).contains(asked)) {
            System.err.println("error: tare cannot answer `" + new String(buffer, from, end - from, StandardCharsets.ISO_8859_1) + "` here"); // R9
            Runtime.getRuntime().halt(2);
        }
        try {
            verb = asked;
            dispatch(asked);
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

    private void dispatch(String verb) {
        switch (verb) {
            case "hello":
                hello();
                break;
            case "list":
                catalog.list(this);
                break;
            case "set":
                set();
                break;
            case "open":
                open();
                break;
            case "check":
                checkBody();
                break;
            case "measure":
                measure();
                break;
            case "diagnose":
                diagnose();
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

    private void hello() {
        if (number(1) != 1) {
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

    /** The smallest step of the clock: the smallest positive difference between the lengths of two pairs of readings. */
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

    private void set() {
        List<String> words = new ArrayList<>();
        for (int at = 1; has(at); at++) {
            words.add(unquoted(word(at)));
        }
        try {
            reply(new Json("set").add("benchmarks", catalog.set(words.get(0), words.subList(1, words.size()))));
        } catch (IllegalArgumentException wrong) {
            throw new Refused("bad-value", wrong.getMessage());
        }
    }

    private void open() {
        Opened made = new Opened(catalog.cases().get((int) number(1)), number(2));
        Long operations = made.operations();
        java.util.Map<String, Object> rates = made.rates();
        Strays.throwAny("set-up");
        Measurement.load(made);
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

    private void measure() {
        long iterations = number(2);
        long invocations = number(3);
        long lead = number(4);
        long windows = has(5) ? number(5) : 0;
        boolean isWorkload = word(1).equals("workload");
        Measurement measurement = new Measurement(opened, isWorkload, (int) iterations, invocations, (int) windows);
        measurement.run(lead);
        reply(measurement.reply());
    }

    private void diagnose() {
        int count = (int) number(2);
        long invocations = number(3);
        long lead = number(4);
        switch (word(1)) {
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

    /** Decodes a word: `%XX` are bytes, `%` alone is the empty text. */
    private static String unquoted(String word) {
        return word.equals("%") ? "" : URLDecoder.decode(word.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
