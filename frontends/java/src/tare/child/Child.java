package tare.child;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** The child of the protocol (spec/protocol.md; R1, R2, ... are its rules). */
final class Child {
    static final String FRONT_END = "tare-java 0.1.0";
    private static final int REQUEST_MAX = 255;
    private static final String REHEARSAL = "hello 1 metrics events windows\nlist\nopen 0 7\ncheck\nmeasure workload 1 1 0\n"
        + "measure workload 2 20 5 2\nmeasure overhead 1 20 5 2\ncollect\nclose\nbye\n";
    private static final String PROFILE = "profile";
    /** The Flight Recorder is a module that a runtime may lack. */
    private static final boolean HAS_RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    private static final int ITERATIONS_MAX = 100_000;
    private static final int WINDOWS_MAX = 1024;
    private static final long INVOCATIONS_MAX = Long.MAX_VALUE / 4;

    private final Catalog catalog;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[4096];
    private int filled;
    private int taken;
    private boolean isGreeted;
    private boolean isOver;
    /** The process ends, and has said why. */
    private boolean isLeaving;
    private Opened opened;
    /** The request that is being answered. */
    private volatile String verb = "";

    Child(Catalog catalog, InputStream in, OutputStream out) {
        this.catalog = catalog;
        this.in = in;
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

    /** A request without its end; null: it is longer than one may be. */
    private String line() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean isLong = false;
        while (true) {
            if (taken == filled) {
                filled = in.read(buffer);
                taken = 0;
                if (filled < 0) {
                    Runtime.getRuntime().halt(0);
                }
                continue;
            }
            byte one = buffer[taken++];
            if (one == '\n') {
                return isLong ? null : bytes.toString(StandardCharsets.ISO_8859_1);
            }
            isLong |= bytes.size() + 1 >= REQUEST_MAX;
            if (!isLong) {
                bytes.write(one);
            }
        }
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
        try {
            String[] words = line == null ? new String[] {""} : line.split(" ", -1);
            if (!isGreeted && !words[0].equals("hello")) {
                throw new Refused("bad-state", "the first request is hello");
            }
            if (line == null) {
                throw new Refused("bad-request", "a request has at most 255 bytes");
            }
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
                check(true, arguments, 1, 255);
                hello(arguments);
                break;
            case "list":
                check(opened == null, arguments, 0, 0);
                catalog.list(this);
                break;
            case "set":
                check(opened == null, arguments, 2, 255);
                set(arguments);
                break;
            case "open":
                check(opened == null, arguments, 2, 2);
                open(arguments);
                break;
            case "check":
                check(opened != null, arguments, 0, 0);
                checkBody();
                break;
            case "measure":
                check(opened != null, arguments, 4, 5);
                measure(arguments);
                break;
            case "diagnose":
                check(opened != null, arguments, 4, 4);
                diagnose(arguments);
                break;
            case "collect":
                check(opened != null, arguments, 0, 0);
                Machine.collect();
                reply(new Json("collected").add("live_bytes", Machine.live()));
                break;
            case "close":
                check(opened != null, arguments, 0, 0);
                Opened closed = opened;
                opened = null;
                closed.cleanUp();
                reply(new Json("closed"));
                break;
            case "bye":
                check(true, arguments, 0, 0);
                bye();
                break;
            default:
                throw new Refused("unknown-request", "there is no such request");
        }
    }

    private void check(boolean fits, String[] arguments, int least, int most) {
        if (!fits) {
            throw new Refused("bad-state", opened == null ? "no benchmark is open" : "a benchmark is open");
        }
        if (arguments.length < least || arguments.length > most) {
            throw new Refused("bad-request", "wrong number of arguments");
        }
    }

    private void hello(String[] arguments) {
        if (number(arguments[0]) != 1) {
            throw new Refused("version", "this child speaks version 1");
        }
        if (!isGreeted) {
            Probes.warm();
        }
        isGreeted = true;
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
            throw new Refused("bad-request", wrong.getMessage());
        }
    }

    private void open(String[] arguments) {
        long index = number(arguments[0]);
        long seed = number(arguments[1]);
        List<Case> all = catalog.cases();
        if (index < 0 || index >= all.size()) {
            throw new Refused("bad-request", "no benchmark has that index");
        }
        Case wanted = all.get((int) index);
        if (wanted.invalid != null) {
            throw new Refused("not-supported", wanted.invalid);
        }
        Opened made = new Opened(wanted, seed);
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
        if (!isWorkload && !arguments[0].equals("overhead") && !arguments[0].equals("rolled")) {
            throw new Refused("bad-request", "there is no such loop");
        }
        if (iterations < 1 || iterations > ITERATIONS_MAX || invocations == 0) {
            throw new Refused("bad-request", "a number out of range");
        }
        if (arguments.length > 4 && (windows < 1 || windows > WINDOWS_MAX || iterations * windows > ITERATIONS_MAX)) {
            throw new Refused("bad-request", "a number of windows out of range");
        }
        if (arguments[0].equals("rolled")) {
            throw new Refused("not-supported", "there is no such loop here");
        }
        if (invocations < 0 || invocations > INVOCATIONS_MAX || lead < 0 || lead > INVOCATIONS_MAX) {
            throw new Refused("not-supported", "that many invocations would not end");
        }
        Measurement measurement = new Measurement(opened, isWorkload, (int) iterations, invocations, (int) windows);
        measurement.run(lead);
        reply(measurement.reply());
    }

    private void diagnose(String[] arguments) {
        long iterations = number(arguments[1]);
        long invocations = number(arguments[2]);
        long lead = number(arguments[3]);
        if (iterations < 1 || iterations > ITERATIONS_MAX || invocations == 0) {
            throw new Refused("bad-request", "a number out of range");
        }
        boolean isProfile = arguments[0].equals(PROFILE) && HAS_RECORDER;
        boolean isOfExceptions = arguments[0].equals(ExceptionPass.NAME) && HAS_RECORDER;
        if (!isProfile && !isOfExceptions && !arguments[0].equals(MemoryPass.NAME)) {
            throw new Refused("not-supported", "there is no such diagnoser");
        }
        if (invocations < 0 || invocations > INVOCATIONS_MAX || lead < 0 || lead > INVOCATIONS_MAX) {
            throw new Refused("not-supported", "that many invocations would not end");
        }
        int count = (int) iterations;
        if (isOfExceptions) {
            reply(ExceptionPass.of(opened, count, invocations, lead));
            return;
        }
        reply(isProfile ? Flight.of(opened, count, invocations, lead) : MemoryPass.of(opened, count, invocations, lead));
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
        boolean isNumber = !text.isEmpty();
        for (int i = 0; i < text.length(); i++) {
            isNumber &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        try {
            if (isNumber) {
                return Long.parseUnsignedLong(text);
            }
        } catch (NumberFormatException large) {
            // Told below.
        }
        throw new Refused("bad-request", "not a number: " + Texts.beginning(text, 40));
    }

    /** The text of a word: `%XX` are its bytes, `%` alone is the empty text. */
    private static String unquoted(String word) {
        if (word.equals("%")) {
            return "";
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) != '%') {
                bytes.write(word.charAt(i));
                continue;
            }
            String digits = i + 2 < word.length() + 0 ? word.substring(i + 1, i + 3) : "";
            if (!digits.matches("[0-9A-Fa-f]{2}")) {
                throw new Refused("bad-request", "a % is followed by two hexadecimal digits");
            }
            bytes.write(Integer.parseInt(digits, 16));
            i += 2;
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
