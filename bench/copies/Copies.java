import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** `java Copies COPIES ROUNDS`: times ten bodies, each in COPIES class loaders, in turn. Prints `body copy ns probe_ns`. */
public final class Copies {
    private static final long VISIT_NS = 1_000_000;

    public static void main(String[] arguments) throws Exception {
        int copies = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        List<Map<String, IntToLongFunction>> loops = new ArrayList<>();
        for (int copy = 0; copy < copies; copy++) {
            loops.add(copy());
        }
        Map<String, Integer> counts = new HashMap<>();
        for (int pass = 0; pass < 2; pass++) {
            for (String body : loops.get(0).keySet()) {
                for (Map<String, IntToLongFunction> copy : loops) {
                    warmUp(copy.get(body));
                    int count = (int) (VISIT_NS / Math.max(1, time(copy.get(body), 100) / 100));
                    counts.merge(body, count, Math::max);
                }
            }
        }
        for (int round = 0; round < rounds; round++) {
            for (String body : loops.get(0).keySet()) {
                for (int copy = 0; copy < copies; copy++) {
                    long before = probe();
                    double ns = (double) time(loops.get(copy).get(body), counts.get(body)) / counts.get(body);
                    System.out.println(body + " " + copy + " " + ns + " " + Math.max(before, probe()));
                }
            }
        }
    }

    /** The loops of a new copy of `Bodies`, whose code is compiled anew and placed elsewhere. */
    @SuppressWarnings("unchecked")
    private static Map<String, IntToLongFunction> copy() throws Exception {
        URL place = Copies.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader loader = new URLClassLoader(new URL[] {place}, ClassLoader.getPlatformClassLoader());
        Field all = loader.loadClass("Bodies").getField("ALL");
        all.setAccessible(true);
        return (Map<String, IntToLongFunction>) all.get(null);
    }

    private static void warmUp(IntToLongFunction loop) {
        long start = System.nanoTime();
        for (int call = 0; call < 1000 || System.nanoTime() - start < 100_000_000; call++) {
            loop.applyAsLong(20);
        }
    }

    private static long time(IntToLongFunction loop, int count) {
        long start = System.nanoTime();
        loop.applyAsLong(count);
        return System.nanoTime() - start;
    }

    /** Nanoseconds of a chain of multiplications, which a neighbour on the core makes longer. */
    private static long probe() {
        long start = System.nanoTime();
        long x = 1;
        for (int i = 0; i < 20_000; i++) {
            x = x * 6364136223846793005L + 1;
        }
        return x == 0 ? 0 : System.nanoTime() - start;
    }
}

class Bodies {
    public static final Map<String, IntToLongFunction> ALL = new LinkedHashMap<>();
    private static final Map<String, Integer> WORDS = new HashMap<>();
    private static final String[] ASKED = IntStream.range(0, 64).mapToObj(i -> "word" + i * 37 % 1500).toArray(String[]::new);
    private static final int[] NUMBERS = IntStream.range(0, 256).map(i -> i * 7919 % 1009).toArray();
    private static final int[] SORTED = new int[256];
    private static final StringBuilder LINE = new StringBuilder();
    private static final Pattern PATTERN = Pattern.compile("[a-z]+[0-9]");

    static {
        IntStream.range(0, 1000).forEach(i -> WORDS.put("word" + i, i));
        IntStream.range(0, 40).forEach(i -> LINE.append(" w").append(i));
        ALL.put("sum", n -> { long all = 0; for (int i = 0; i < n; i++) all += sum(); return all; });
        ALL.put("crc", n -> { long all = 0; for (int i = 0; i < n; i++) all += crc(); return all; });
        ALL.put("look-up", n -> { long all = 0; for (int i = 0; i < n; i++) all += lookUp(); return all; });
        ALL.put("build", n -> { long all = 0; for (int i = 0; i < n; i++) all += build(); return all; });
        ALL.put("query", n -> { long all = 0; for (int i = 0; i < n; i++) all += query(); return all; });
        ALL.put("boxes", n -> { long all = 0; for (int i = 0; i < n; i++) all += boxes(); return all; });
        ALL.put("sort", n -> { long all = 0; for (int i = 0; i < n; i++) all += sort(); return all; });
        ALL.put("regex", n -> { long all = 0; for (int i = 0; i < n; i++) all += matches(); return all; });
        ALL.put("nodes", n -> { long all = 0; for (int i = 0; i < n; i++) all += nodes(); return all; });
        ALL.put("format", n -> { long all = 0; for (int i = 0; i < n; i++) all += format(); return all; });
    }

    private static int salt;

    private static int sum() {
        int sum = ++salt;
        for (int number : NUMBERS) sum += number;
        return sum;
    }

    private static int crc() {
        int crc = ++salt;
        for (int number : NUMBERS) crc = (crc >>> 1) ^ ((crc & 1) * 0xEDB88320) ^ number;
        return crc;
    }

    private static int lookUp() {
        int found = 0;
        for (String word : ASKED) found += WORDS.getOrDefault(word, 0);
        return found;
    }

    private static int build() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50; i++) text.append(i).append(", ");
        return text.length();
    }

    private static int query() {
        return Arrays.stream(NUMBERS).filter(n -> n % 3 == 0).map(n -> n * 2).sorted().limit(10).sum();
    }

    private static int boxes() {
        List<Integer> boxes = new ArrayList<>();
        for (int number : NUMBERS) boxes.add(number + salt);
        return boxes.get(++salt & 127);
    }

    private static int sort() {
        System.arraycopy(NUMBERS, 0, SORTED, 0, NUMBERS.length);
        Arrays.sort(SORTED);
        return SORTED[100];
    }

    private static int matches() {
        Matcher matcher = PATTERN.matcher(LINE);
        int count = 0;
        while (matcher.find()) count++;
        return count;
    }

    private static int nodes() {
        Node head = null;
        for (int i = 0; i < 40; i++) head = new Node(head, i);
        int sum = 0;
        for (; head != null; head = head.next) sum += head.value;
        return sum;
    }

    private static int format() {
        int length = 0;
        for (int i = 0; i < 20; i++) length += (i + ":" + i * 1.5).length();
        return length;
    }

    private static final class Node {
        final Node next;
        final int value;

        Node(Node next, int value) {
            this.next = next;
            this.value = value;
        }
    }
}
