package tare.child;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A benchmark with values of its parameters. */
final class Case {
    /** More invocations than any host requests, so that an iteration set-up does not limit them to one. */
    private static final long MANY = 10_000_000_000L;
    /** Lazy result types, which compute nothing until they are used. */
    private static final List<Class<?>> LAZY = Arrays.asList(java.util.stream.BaseStream.class, java.util.concurrent.Future.class,
        java.util.concurrent.CompletionStage.class);

    final Class<?> type;
    final Method body;
    final List<Parameter> parameters;
    final List<Class<?>> states;
    final String invalid;
    private final Annotation mark;
    private final String file;
    private final int line;

    Case(Class<?> type, Method body, List<Parameter> parameters, List<Class<?>> states, String invalid, String file, int line) {
        this.type = type;
        this.body = body;
        this.parameters = parameters;
        this.states = states;
        this.mark = Marks.of(body, "Benchmark");
        this.invalid = invalid == null ? problem() : invalid;
        this.file = file;
        this.line = line;
    }

    String group() {
        String own = Marks.text(mark, "group");
        return own.isEmpty() ? simpleName() : own;
    }

    String name() {
        String own = Marks.text(mark, "name");
        // Methods in different groups of JMH may have the same name.
        String group = Marks.text(Marks.of(body, "Group"), "value");
        return !own.isEmpty() ? own : group.isEmpty() ? body.getName() : group + "." + body.getName();
    }

    /** The class name without the package, with enclosing classes. */
    private String simpleName() {
        String full = type.getName();
        return full.substring(full.lastIndexOf('.') + 1).replace('$', '.');
    }

    boolean hasOwnTime() {
        return Marks.is(mark, "ownTime");
    }

    boolean isOfJmh() {
        return Marks.isJmh(mark);
    }

    /** `throughput`, `monitoring` or `cold-start`. */
    String strategy() {
        String own = Marks.text(mark, "strategy");
        if (own.equals("Monitoring")) {
            return "monitoring";
        }
        if (own.equals("ColdStart")) {
            return "cold-start";
        }
        Annotation modes = Marks.of(body, type, "BenchmarkMode");
        if (modes == null || !Marks.words(modes, "value").equals(Collections.singletonList("SingleShotTime"))) {
            return "throughput";
        }
        // With warm-up iterations, single shots do not mean the first call.
        return Marks.number(Marks.of(body, type, "Warmup"), "iterations", 0) > 0 ? "monitoring" : "cold-start";
    }

    /** An error in the declaration, or null. */
    private String problem() {
        int modifiers = body.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return "`" + body.getName() + "` is private: leave the word out";
        }
        if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers()) && !Modifier.isStatic(modifiers)) {
            return "`" + type.getSimpleName() + "` is an inner class: declare it `static`";
        }
        if (body.getDeclaringClass().isInterface()) {
            return "`" + body.getName() + "` is a method of an interface: declare it in a class";
        }
        for (Class<?> taken : body.getParameterTypes()) {
            if (!Types.isHelper(taken) && !Types.isState(taken) && jmhOnly(taken) == null) {
                return "`" + body.getName() + "` takes `" + taken.getSimpleName() + "`, which has no `@State`: add it, or make a field of it";
            }
        }
        if (hasOwnTime() && body.getReturnType() != long.class && body.getReturnType() != int.class && body.getReturnType() != double.class) {
            return "`ownTime`: `" + body.getName() + "` must return its nanoseconds as a `long`";
        }
        for (Class<?> lazy : LAZY) {
            if (!isOfJmh() && lazy.isAssignableFrom(body.getReturnType())) {
                return "`" + body.getName() + "` returns a `" + body.getReturnType().getSimpleName()
                    + "`, which may have done nothing yet: return what it holds, for example by `toArray()` or `join()`";
            }
        }
        return null;
    }

    /** The reason to skip it, or null. */
    private String skipped() {
        String own = Marks.text(mark, "skip");
        if (!own.isEmpty()) {
            return own;
        }
        if (Marks.has(body, "Group") && isOfJmh()) {
            return "`@Group`: threads that run different methods at once are not carried over";
        }
        long threads = Marks.number(Marks.of(body, type, "Threads"), "value", 1);
        if (threads != 1) {
            return "`@Threads(" + (threads < 0 ? "MAX" : String.valueOf(threads)) + ")`: threads that run the body at once are not carried over";
        }
        for (Class<?> state : states) {
            String needed = jmhOnly(state);
            if (needed != null) {
                return "it takes `" + needed + "`, which only JMH's own runner can make";
            }
        }
        return null;
    }

    /** Returns a class of JMH that cannot be used as a state. */
    private static String jmhOnly(Class<?> state) {
        return state.getName().startsWith("org.openjdk.jmh.infra.") ? state.getSimpleName() : null;
    }

    private boolean hasStep(String annotation, String level) {
        for (Class<?> state : states) {
            for (Method step : Types.methods(state, annotation)) {
                if (Marks.text(Marks.of(step, annotation), "value").equals(level)) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<String> setUps() {
        Set<String> found = new LinkedHashSet<>();
        boolean[] has = {hasStep("Setup", "Trial"), hasStep("TearDown", "Trial"), hasStep("Setup", "Iteration") || hasStep("Setup", "Invocation"),
            hasStep("TearDown", "Iteration") || hasStep("TearDown", "Invocation")};
        String[] names = {"global", "global-clean-up", "iteration", "iteration-clean-up"};
        for (int i = 0; i < has.length; i++) {
            if (has[i]) {
                found.add(names[i]);
            }
        }
        return new ArrayList<>(found);
    }

    /** The maximum, or null: the host then requests one invocation if there is an iteration set-up. */
    private Long invocationsMax() {
        boolean isPerCall = hasStep("Setup", "Invocation") || hasStep("TearDown", "Invocation");
        boolean isPerIteration = hasStep("Setup", "Iteration") || hasStep("TearDown", "Iteration");
        return isPerCall ? Long.valueOf(1) : isPerIteration ? Long.valueOf(MANY) : null;
    }

    /** Rates per second. Those that are known only after the set-up are 0. */
    private List<Json> rates() {
        Map<String, Long> amounts = new LinkedHashMap<>();
        for (String name : new String[] {"bytes", "items"}) {
            if (Marks.number(mark, name, 0) > 0) {
                amounts.put(name, Marks.number(mark, name, 0));
            }
        }
        for (Class<?> state : states) {
            for (Method method : Types.methods(state, "Rate")) {
                amounts.put(Marks.text(Marks.of(method, "Rate"), "value"), 0L);
            }
        }
        List<Json> found = new ArrayList<>();
        for (Map.Entry<String, Long> one : amounts.entrySet()) {
            found.add(new Json().add("name", one.getKey()).add("per_invocation", one.getValue()));
        }
        return found;
    }

    /** Options of the virtual machine from the declaration (JMH's `@Fork`), for the environment variable that its launcher reads. */
    private Json launch() {
        Annotation fork = Marks.of(body, type, "Fork");
        if (fork == null) {
            return null;
        }
        List<String> options = new ArrayList<>();
        for (String element : new String[] {"jvmArgsPrepend", "jvmArgs", "jvmArgsAppend"}) {
            for (String option : Marks.words(fork, element)) {
                if (!option.equals("blank_blank_blank_2014")) {
                    options.add(option.matches("[^\\s\"']+") ? option : "\"" + option.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
                }
            }
        }
        if (options.isEmpty()) {
            return null;
        }
        Map<String, String> variables = new HashMap<>();
        variables.put("JDK_JAVA_OPTIONS", String.join(" ", options));
        return new Json().add("environment", variables).add("arguments", Collections.emptyList());
    }

    /** Its line of `list`. */
    Json line(int index, String duplicate) {
        List<Json> values = new ArrayList<>();
        for (Parameter parameter : parameters) {
            values.add(new Json().add("name", parameter.name).add("value", parameter.text).add("type", parameter.type()));
        }
        Annotation operations = Marks.of(body, type, "OperationsPerInvocation");
        String results = Marks.text(mark, "results");
        String strategy = strategy();
        String wrong = invalid == null ? duplicate : invalid;
        String unit = Marks.text(mark, "unit");
        String description = Marks.text(mark, "description");
        List<String> categories = Marks.words(mark, "categories");
        List<String> diagnosers = Marks.words(mark, "diagnose");
        String namespace = type.getPackage() == null ? "" : type.getPackage().getName();
        Json json = new Json("benchmark").add("index", index).add("group", group()).add("name", name()).add("parameters", values)
            .add("file", file).add("line", line > 0 ? line : null).add("baseline", Marks.is(mark, "baseline"))
            .add("operations", Math.max(1, Marks.number(operations, "value", 1))).add("unit", unit.isEmpty() ? null : unit)
            .add("categories", categories.isEmpty() ? null : categories).add("description", description.isEmpty() ? null : description)
            .add("diagnosers", diagnosers.isEmpty() ? null : diagnosers)
            .add("threads", Marks.number(mark, "threads", 1)).add("waits", Marks.is(mark, "waits") ? true : null)
            .add("own_time", hasOwnTime() ? true : null)
            .add("results", results.equals("Change") ? "change" : results.equals("Differ") ? "differ" : null)
            .add("strategy", strategy.equals("throughput") ? null : strategy)
            .add("returns", body.getReturnType() != void.class).add("invalid", wrong);
        if (wrong == null) {
            List<Json> rates = rates();
            json.add("skipped", skipped()).add("set_ups", setUps()).add("invocations_max", invocationsMax())
                .add("rates", rates.isEmpty() ? null : rates).add("launch", launch());
        }
        return json.add("code", new Json().add("namespace", namespace.isEmpty() ? null : namespace).add("type", simpleName())
            .add("method", body.getName()).add("full", fullName()));
    }

    /** The name in JMH's format. */
    private String fullName() {
        StringBuilder text = new StringBuilder(type.getName().replace('$', '.')).append('.').append(body.getName());
        for (Parameter parameter : parameters) {
            text.append(':').append(parameter.name).append('=').append(parameter.text);
        }
        return text.toString();
    }

    /** The key that must be unique by R13. */
    String key() {
        StringBuilder text = new StringBuilder(group()).append('\n').append(name());
        for (Parameter parameter : parameters) {
            text.append('\n').append(parameter.name).append('=').append(parameter.text);
        }
        return text.toString();
    }

    static List<Field> fields(List<Class<?>> states) {
        List<Field> found = new ArrayList<>();
        for (Class<?> state : states) {
            found.addAll(Types.parameters(state));
        }
        return found;
    }
}
