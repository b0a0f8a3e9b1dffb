// States that benchmarks use, with set-ups for each process, iteration and call.
//
//   tare run frontends/java/examples/E02States.java

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import tare.*;

public class E02States {
    /** One instance per process. */
    @State
    public static class Names {
        @Param({"100"}) int size;
        List<String> names;

        @Setup
        public void fill() {
            names = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                names.add("name " + i * 7919 % size);
            }
        }
    }

    /** Refilled before each call, outside its time. */
    @State
    public static class Queue {
        ArrayDeque<Integer> queue;

        @Setup(Level.Invocation)
        public void fill() {
            queue = new ArrayDeque<>();
            for (int i = 0; i < 1000; i++) {
                queue.add(i);
            }
        }
    }

    @Benchmark
    public int longest(Names state) {
        int longest = 0;
        for (String name : state.names) {
            longest = Math.max(longest, name.length());
        }
        return longest;
    }

    @Benchmark
    @OperationsPerInvocation(1000)
    public int drain(Queue state) {
        int sum = 0;
        while (!state.queue.isEmpty()) {
            sum += state.queue.poll();
        }
        return sum;
    }
}
