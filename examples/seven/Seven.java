// The seven tasks in Java; README.md has what they are. Java has no JSON in its library: the parser below stands in for it.

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tare.*;

/** The same numbers in all languages. */
final class Numbers {
    private int state;

    Numbers(int seed) {
        state = seed;
    }

    int next() {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        return state;
    }
}

@State(Scope.Benchmark)
class parse64 {
    private final String[] texts = new String[64];

    @Setup
    public void setUp() {
        Numbers numbers = new Numbers(1);
        for (int i = 0; i < texts.length; i++) {
            texts[i] = Integer.toString(100000000 + numbers.next() % 900000000);
        }
    }

    @Benchmark
    public long java() {
        long sum = 0;
        for (String text : texts) {
            sum += Integer.parseInt(text);
        }
        return sum;
    }
}

@State(Scope.Benchmark)
class sha256 {
    private final byte[] data = new byte[10000];
    private MessageDigest hash;

    @Setup
    public void setUp() throws NoSuchAlgorithmException {
        hash = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i % 251);
        }
    }

    @Benchmark
    public long java() {
        byte[] d = hash.digest(data);
        return (d[0] & 0xffL) << 24 | (d[1] & 0xffL) << 16 | (d[2] & 0xffL) << 8 | d[3] & 0xffL;
    }
}

@State(Scope.Benchmark)
class sort64 {
    private final int[][] lists = new int[64][64];

    @Setup
    public void setUp() {
        Numbers numbers = new Numbers(2);
        for (int[] list : lists) {
            for (int i = 0; i < list.length; i++) {
                list[i] = numbers.next() >> 4;
            }
        }
    }

    @Benchmark
    public long java() {
        long sum = 0;
        for (int[] list : lists) {
            int[] sorted = list.clone();
            Arrays.sort(sorted);
            sum += sorted[32];
        }
        return sum;
    }
}

/** Reads a value of JSON. */
final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
        this.text = text;
    }

    Object value() {
        switch (text.charAt(at)) {
            case '{':
                return object();
            case '[':
                return list();
            case '"':
                return text();
            case 't':
                at += 4;
                return true;
            case 'f':
                at += 5;
                return false;
            case 'n':
                at += 4;
                return null;
            default:
                return number();
        }
    }

    private Double number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Double.valueOf(text.substring(from, at));
    }

    private List<Object> list() {
        List<Object> found = new ArrayList<>();
        at++;
        while (text.charAt(at) != ']') {
            found.add(value());
            at += text.charAt(at) == ',' ? 1 : 0;
        }
        at++;
        return found;
    }

    private Map<String, Object> object() {
        Map<String, Object> found = new LinkedHashMap<>();
        at++;
        while (text.charAt(at) != '}') {
            String name = text();
            at++; // the colon
            found.put(name, value());
            at += text.charAt(at) == ',' ? 1 : 0;
        }
        at++;
        return found;
    }

    private String text() {
        StringBuilder found = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            }
            found.append(text.charAt(at));
        }
        at++;
        return found.toString();
    }
}

@State(Scope.Benchmark)
class json {
    private String text;

    @Setup
    public void setUp() {
        List<String> items = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            items.add("{\"id\":" + i + ",\"name\":\"item " + i + "\",\"price\":" + i + ".25,\"tags\":[\"red\",\"green\"],\"active\":"
                + (i % 2 == 0) + "}");
        }
        text = "[" + String.join(",", items) + "]";
    }

    @Benchmark
    public double java() {
        double sum = 0;
        for (Object one : (List<?>) new Reader(text).value()) {
            Map<?, ?> item = (Map<?, ?>) one;
            sum += (Double) item.get("id") + (Double) item.get("price") + ((List<?>) item.get("tags")).size()
                + ((Boolean) item.get("active") ? 1 : 0);
        }
        return sum;
    }
}

final class Body {
    double x;
    double y;
    double z;
    double vx;
    double vy;
    double vz;
    final double mass;

    Body(double x, double y, double z, double vx, double vy, double vz, double mass) {
        final double year = 365.24;
        this.x = x;
        this.y = y;
        this.z = z;
        this.vx = vx * year;
        this.vy = vy * year;
        this.vz = vz * year;
        this.mass = mass * (4 * Math.PI * Math.PI);
    }
}

@State(Scope.Benchmark)
class nbody {
    private static Body[] planets() {
        return new Body[] {
            new Body(0, 0, 0, 0, 0, 0, 1),
            new Body(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03,
                7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04),
            new Body(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411542e-03,
                4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04),
            new Body(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03,
                2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05),
            new Body(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03,
                1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05),
        };
    }

    private static void advance(Body[] bodies, double dt) {
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            for (int j = i + 1; j < bodies.length; j++) {
                Body b = bodies[j];
                double dx = a.x - b.x;
                double dy = a.y - b.y;
                double dz = a.z - b.z;
                double square = dx * dx + dy * dy + dz * dz;
                double scale = dt / (square * Math.sqrt(square));
                a.vx -= dx * b.mass * scale;
                a.vy -= dy * b.mass * scale;
                a.vz -= dz * b.mass * scale;
                b.vx += dx * a.mass * scale;
                b.vy += dy * a.mass * scale;
                b.vz += dz * a.mass * scale;
            }
        }
        for (Body a : bodies) {
            a.x += dt * a.vx;
            a.y += dt * a.vy;
            a.z += dt * a.vz;
        }
    }

    private static double energy(Body[] bodies) {
        double sum = 0;
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            sum += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
            for (int j = i + 1; j < bodies.length; j++) {
                Body b = bodies[j];
                double dx = a.x - b.x;
                double dy = a.y - b.y;
                double dz = a.z - b.z;
                sum -= a.mass * b.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
            }
        }
        return sum;
    }

    @Benchmark
    public double java() {
        Body[] bodies = planets();
        for (int i = 0; i < 100; i++) {
            advance(bodies, 0.01);
        }
        return energy(bodies);
    }
}

@State(Scope.Benchmark)
class words {
    private String text;

    @Setup
    public void setUp() {
        Numbers numbers = new Numbers(3);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            all.add("word" + (numbers.next() >> 8) % 50);
        }
        text = String.join(" ", all);
    }

    @Benchmark
    public long java() {
        Map<String, Long> counts = new HashMap<>();
        for (String word : text.split(" ")) {
            counts.merge(word, 1L, Long::sum);
        }
        long sum = 0;
        for (long count : counts.values()) {
            sum += count * count;
        }
        return sum;
    }
}

@State(Scope.Benchmark)
class fill {
    private final int[] keys = new int[1000];

    @Setup
    public void setUp() {
        Numbers numbers = new Numbers(4);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (numbers.next() >> 8) % 4096;
        }
    }

    @Benchmark
    public long java() {
        Map<Integer, Integer> table = new HashMap<>();
        for (int i = 0; i < keys.length; i++) {
            table.merge(keys[i], i, Integer::sum);
        }
        return table.size() * 1000000L + table.get(keys[0]);
    }
}
