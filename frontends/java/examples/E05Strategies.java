// Cold start, single calls, own times, a body that waits, and a skipped one.
//
//   tare run frontends/java/examples/E05Strategies.java

import java.util.regex.Pattern;
import tare.*;

public class E05Strategies {
    @Benchmark(strategy = Strategy.ColdStart)
    public boolean firstMatch() {
        return Pattern.compile("(a|b)+c").matcher("ababababc").matches();
    }

    @Benchmark(strategy = Strategy.Monitoring)
    public long longLoop() {
        long sum = 0;
        for (int i = 0; i < 1_000_000; i++) {
            sum += i ^ sum;
        }
        return sum;
    }

    /** Returns its own time in nanoseconds. */
    @Benchmark(ownTime = true)
    public long simulated() {
        return 1234;
    }

    @Benchmark(waits = true)
    public void sleep() throws InterruptedException {
        Thread.sleep(1);
    }

    @Benchmark(skip = "needs a server")
    public int remote() {
        return 1;
    }
}
