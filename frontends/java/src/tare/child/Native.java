package tare.child;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Calls of the C library, which a runtime from 22 on can make. They are found by their names: the front end is compiled for 11. */
final class Native {
    private static final int PROCESS_CPU_CLOCK = 2;
    private static final int THREAD = 1;
    private static final int USAGE_BYTES = 144;
    /** In `struct rusage`: switches that the thread wanted, and those that it did not. */
    private static final int WAITS_AT = 128;
    private static final int SWITCHES_AT = 136;

    private static final Memory MEMORY = Memory.of();
    private static final MethodHandle CLOCK = MEMORY == null ? null : MEMORY.function("clock_gettime");
    private static final MethodHandle USAGE = MEMORY == null ? null : MEMORY.function("getrusage");

    private Native() {
    }

    static boolean isThere() {
        return CLOCK != null && USAGE != null && processCpuNs() > 0;
    }

    static long processCpuNs() {
        try {
            int failed = (int) CLOCK.invokeExact(PROCESS_CPU_CLOCK, MEMORY.address);
            return failed != 0 ? 0 : MEMORY.bytes.getLong(0) * 1_000_000_000L + MEMORY.bytes.getLong(8);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Reads both numbers of this thread. */
    static boolean readSwitches() {
        try {
            return (int) USAGE.invokeExact(THREAD, MEMORY.address) == 0;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static long waits() {
        return MEMORY.bytes.getLong(WAITS_AT);
    }

    static long switches() {
        return MEMORY.bytes.getLong(SWITCHES_AT);
    }

    /** A place in memory that functions write to. */
    private static final class Memory {
        private final long address;
        private final ByteBuffer bytes;
        private final Object linker;

        private Memory(long address, ByteBuffer bytes, Object linker) {
            this.address = address;
            this.bytes = bytes;
            this.linker = linker;
        }

        private static Memory of() {
            boolean isLinux = System.getProperty("os.name").equals("Linux") && System.getProperty("sun.arch.data.model", "64").equals("64");
            if (!isLinux || Runtime.version().feature() < 22) {
                return null;
            }
            try {
                Object arena = type("Arena").getMethod("global").invoke(null);
                Object segment = type("Arena").getMethod("allocate", long.class, long.class).invoke(arena, (long) USAGE_BYTES, 16L);
                long address = (long) type("MemorySegment").getMethod("address").invoke(segment);
                ByteBuffer bytes = (ByteBuffer) type("MemorySegment").getMethod("asByteBuffer").invoke(segment);
                Object linker = type("Linker").getMethod("nativeLinker").invoke(null);
                return new Memory(address, bytes.order(ByteOrder.nativeOrder()), linker);
            } catch (ReflectiveOperationException | RuntimeException none) {
                return null;
            }
        }

        private static Class<?> type(String name) throws ClassNotFoundException {
            return Class.forName("java.lang.foreign." + name);
        }

        /** `int name(int, long)` of the C library. */
        private MethodHandle function(String name) {
            try {
                Object lookup = type("Linker").getMethod("defaultLookup").invoke(linker);
                Optional<?> found = (Optional<?>) type("SymbolLookup").getMethod("find", String.class).invoke(lookup, name);
                Class<?> layout = type("MemoryLayout");
                Object number = type("ValueLayout").getField("JAVA_INT").get(null);
                Object word = type("ValueLayout").getField("JAVA_LONG").get(null);
                Object taken = java.lang.reflect.Array.newInstance(layout, 2);
                java.lang.reflect.Array.set(taken, 0, number);
                java.lang.reflect.Array.set(taken, 1, word);
                Object descriptor = type("FunctionDescriptor").getMethod("of", layout, taken.getClass()).invoke(null, number, taken);
                Class<?> option = type("Linker$Option");
                Object options = java.lang.reflect.Array.newInstance(option, 0);
                Method handle = type("Linker").getMethod("downcallHandle", type("MemorySegment"), type("FunctionDescriptor"), options.getClass());
                return (MethodHandle) handle.invoke(linker, found.get(), descriptor, options);
            } catch (ReflectiveOperationException | RuntimeException none) {
                return null;
            }
        }
    }
}
