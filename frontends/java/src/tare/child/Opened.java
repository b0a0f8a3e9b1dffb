package tare.child;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The open benchmark: its states, steps and loops. */
final class Opened {
    private static final int BLOCKS = 12;

    final Case benchmark;
    final boolean hasOwnTime;
    final Loop workload;
    final Loop overhead;
    final LoopState state = new LoopState();
    final Repeater repeater = new Repeater();
    private final Map<Class<?>, Object> instances = new LinkedHashMap<>();
    private final MethodHandle[] iterationSetUps;
    private final MethodHandle[] iterationCleanUps;
    private final MethodHandle counter;
    private final byte[][] blocks;
    private int place;
    private final boolean movesStack;
    /** Whether an invocation has allocated. */
    boolean allocates;
    /** Whether the young generation has been filled once, or need not be. */
    boolean isFilled;

    Opened(Case benchmark, long seed) {
        this.benchmark = benchmark;
        hasOwnTime = benchmark.hasOwnTime();
        movesStack = seed != 0;
        place = movesStack ? StackPlace.after(seed) : 0;
        blocks = seed == 0 ? null : scatter(new Random(seed));
        // If every call counts, there is no request before the recorded ones.
        isFilled = !benchmark.strategy().equals("throughput");
        make();
        state.target = Modifier.isStatic(benchmark.body.getModifiers()) ? null : instances.get(benchmark.type);
        List<Object> arguments = new ArrayList<>();
        for (Class<?> taken : benchmark.body.getParameterTypes()) {
            arguments.add(instance(taken));
        }
        state.arguments = arguments.toArray();
        for (MethodHandle step : handles("Setup", "Trial")) {
            run("set-up", step);
        }
        iterationSetUps = concat(handles("Setup", "Iteration"), handles("Setup", "Invocation"));
        iterationCleanUps = concat(handles("TearDown", "Invocation"), handles("TearDown", "Iteration"));
        MethodHandle[] counters = handles("Operations", "Iteration");
        counter = counters.length == 0 ? null : counters[0];
        try {
            workload = LoopWriter.workload(benchmark.type, benchmark.body, hasOwnTime);
            overhead = LoopWriter.overhead(benchmark.type, benchmark.body);
        } catch (java.io.IOException | ReflectiveOperationException | LinkageError | SecurityException failed) {
            throw new Refused("not-supported", "no loop can be put around `" + benchmark.name() + "`: " + failed);
        }
    }

    /** Blocks with holes between them, so that the set-up's objects have different addresses in each launch. */
    private static byte[][] scatter(Random random) {
        byte[][] kept = new byte[BLOCKS][];
        for (int i = 0; i < 2 * BLOCKS; i++) {
            kept[i / 2] = new byte[24 + random.nextInt(1 << (8 + random.nextInt(10)))];
        }
        return kept;
    }

    private void make() {
        for (Class<?> type : benchmark.states) {
            try {
                Constructor<?> made = type.getDeclaredConstructor();
                made.setAccessible(true);
                Object instance = made.newInstance();
                for (Parameter parameter : benchmark.parameters) {
                    if (parameter.field.getDeclaringClass().isInstance(instance)) {
                        parameter.field.set(instance, parameter.value);
                    }
                }
                instances.put(type, instance);
            } catch (InvocationTargetException thrown) {
                throw new Thrown("set-up", thrown.getCause());
            } catch (LinkageError failed) {
                throw new Thrown("set-up", failed); // a static initialiser throws, or a class is missing
            } catch (ReflectiveOperationException lacking) {
                throw new Thrown("set-up", new IllegalStateException(
                    "`" + type.getSimpleName() + "` cannot be made: it needs a constructor without parameters", lacking));
            }
        }
    }

    private Object instance(Class<?> type) {
        Object known = instances.get(type);
        if (known != null) {
            return known;
        }
        try {
            Object made = Types.helper(type);
            instances.put(type, made);
            return made;
        } catch (ReflectiveOperationException lacking) {
            throw new Refused("not-supported", "`" + type.getSimpleName() + "` cannot be made: " + lacking);
        }
    }

    /** The methods with an annotation of this level, bound to their instances; clean-ups in reverse order. */
    private MethodHandle[] handles(String mark, String level) {
        List<MethodHandle> found = new ArrayList<>();
        for (Class<?> type : benchmark.states) {
            for (Method method : Types.methods(type, mark)) {
                if (Marks.text(Marks.of(method, mark), "value").equals(level)) {
                    found.add(bound(type, method));
                }
            }
        }
        if (mark.equals("TearDown")) {
            Collections.reverse(found);
        }
        return found.toArray(new MethodHandle[0]);
    }

    private MethodHandle bound(Class<?> type, Method method) {
        try {
            MethodHandle handle = MethodHandles.lookup().unreflect(method);
            handle = Modifier.isStatic(method.getModifiers()) ? handle : handle.bindTo(instances.get(type));
            for (Class<?> taken : method.getParameterTypes()) {
                handle = MethodHandles.insertArguments(handle, 0, instance(taken));
            }
            return handle;
        } catch (IllegalAccessException refused) {
            throw new Refused("not-supported", "`" + method.getName() + "` cannot be called: " + refused.getMessage());
        }
    }

    private static MethodHandle[] concat(MethodHandle[] first, MethodHandle[] second) {
        List<MethodHandle> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(second));
        return all.toArray(new MethodHandle[0]);
    }

    private static Object run(String step, MethodHandle handle) {
        try {
            return handle.invokeWithArguments();
        } catch (Throwable thrown) {
            throw new Thrown(step, thrown);
        }
    }

    void iterationSetUp() {
        for (int i = 0; i < iterationSetUps.length; i++) {
            run("iteration-set-up", iterationSetUps[i]);
        }
    }

    void iterationCleanUp() {
        for (int i = 0; i < iterationCleanUps.length; i++) {
            run("iteration-clean-up", iterationCleanUps[i]);
        }
    }

    /** The operations per invocation, known after the set-up; null if not declared. */
    Long operations() {
        MethodHandle[] handles = handles("Operations", "Trial");
        if (handles.length == 0) {
            return null;
        }
        Object found = run("set-up", handles[0]);
        if (!(found instanceof Number) || ((Number) found).longValue() < 1) {
            throw new Thrown("set-up", new IllegalStateException("`@Operations` returned " + found + ", which is not a number of at least 1"));
        }
        return ((Number) found).longValue();
    }

    boolean countsOperations() {
        return counter != null;
    }

    double iterationOperations() {
        Object found = run("body", counter);
        double number = found instanceof Number ? ((Number) found).doubleValue() : 0;
        if (!(number > 0) || Double.isInfinite(number)) {
            throw new Thrown("body", new IllegalStateException("`@Operations` returned " + found + ", which is not a number above 0"));
        }
        return number;
    }

    /** Rates known only after the set-up. */
    Map<String, Object> rates() {
        Map<String, Object> found = new LinkedHashMap<>();
        for (Class<?> type : benchmark.states) {
            for (Method method : Types.methods(type, "Rate")) {
                Object amount = run("set-up", bound(type, method));
                if (!(amount instanceof Number) || ((Number) amount).doubleValue() < 0) {
                    throw new Thrown("set-up", new IllegalStateException("`" + method.getName() + "` returned " + amount + ", which is not an amount"));
                }
                found.put(Marks.text(Marks.of(method, "Rate"), "value"), amount);
            }
        }
        return found;
    }

    /** Runs the body once and returns its result. */
    Object check() {
        iterationSetUp();
        Object result;
        try {
            result = workload.once(state);
        } catch (Throwable thrown) {
            throw new Thrown("body", thrown);
        }
        iterationCleanUp();
        return result;
    }

    void cleanUp() {
        Thrown first = null;
        for (MethodHandle step : handles("TearDown", "Trial")) {
            try {
                run("clean-up", step);
            } catch (Thrown thrown) {
                first = first == null ? thrown : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** The position on the stack at which the next request runs the body. */
    StackPlace stackPlace() {
        place = movesStack ? StackPlace.after(place) : 0;
        return StackPlace.of(place);
    }

    /** Keeps the heap blocks alive until here. */
    int blocks() {
        return blocks == null ? 0 : blocks.length;
    }

    /**
     * Runs the loop of the body. The compiler compiles a method as a whole after many calls. If a single call runs for long, it compiles the
     * loop within it instead (on-stack replacement), which each call then enters late. So calls are short and many at first, until the loop
     * is compiled as a whole.
     */
    final class Repeater {
        /** Calls until the loop is compiled as a whole; the runtime checks its counts only every 1024 calls. */
        private static final int CALLS = 4000;
        private static final long SHORT_NS = 10_000;
        private static final long CHUNK_MAX = 1024;
        /** A body of at least this time hides the cost of its loop. */
        private static final long LONG_NS = 20_000;
        /** Invocations until the last compilation of a method: 5000, and the runtime checks every 1024. */
        private static final long OFTEN = 7000;
        /** A slow body is called less often than that, but the methods it calls are not. */
        private static final double PATIENCE_NS = 3e8;
        private long chunk = 1;
        private int calls;
        private long quietInvocations;
        private double quietNs;
        private boolean isWhole;

        long run(long invocations) {
            if (isWhole) {
                return workload.run(state, invocations);
            }
            long sum = 0;
            for (long left = invocations; left > 0; left -= chunk) {
                sum += workload.run(state, Math.min(left, chunk));
                calls++;
            }
            return sum;
        }

        /** Between requests: takes the time of its invocations, whether anything was compiled meanwhile, and whether compilers are busy. */
        void look(long invocations, double ns, boolean isBeside, boolean isBusy) {
            double each = ns / Math.max(1, invocations);
            if (isWhole && isBeside) {
                // Perhaps the loop itself was recompiled, from its beginning.
                isWhole = false;
                calls = 0;
            }
            chunk = Math.max(1, Math.min(CHUNK_MAX, (long) (SHORT_NS / Math.max(0.1, each))));
            isWhole |= !isBusy && (calls >= CALLS || each >= LONG_NS);
            quietInvocations = isBusy ? 0 : quietInvocations + invocations;
            quietNs = isBusy ? 0 : quietNs + ns;
        }

        /** Whether the body may have been called too seldom for the last compiler to have begun. */
        boolean isEarly() {
            return !isWhole || (quietInvocations < OFTEN && quietNs < PATIENCE_NS);
        }
    }
}
