package tare.child;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** All benchmarks of this program. */
final class Catalog {
    private static final String BENCHMARK_LIST = "META-INF/BenchmarkList";
    /** Annotations of JMH about how long to measure. */
    private static final String[] WITHOUT_EFFECT = {"Warmup", "Measurement", "Timeout"};

    private final Set<String> names = new TreeSet<>();
    private final Map<String, List<String>> chosen = new HashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Map<String, byte[]> files = new HashMap<>();
    private List<Class<?>> types;
    private List<Case> cases;

    /** Reads folders of classes, and jars. */
    static Catalog of(List<String> places) throws IOException {
        Catalog catalog = new Catalog();
        for (String place : places) {
            File file = new File(place);
            if (file.isDirectory()) {
                catalog.folder(file, "");
            } else {
                catalog.jar(file);
            }
        }
        return catalog;
    }

    /** Adds a class that is outside these places. */
    void add(String type) {
        names.add(type);
    }

    private void folder(File folder, String name) throws IOException {
        File[] all = folder.listFiles();
        if (all == null) {
            return;
        }
        Arrays.sort(all);
        for (File file : all) {
            if (file.isDirectory()) {
                folder(file, name + file.getName() + "/");
            } else if (file.getName().endsWith(".class")) {
                take(name + file.getName(), Files.readAllBytes(file.toPath()));
            }
        }
    }

    private void jar(File file) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            JarEntry list = jar.getJarEntry(BENCHMARK_LIST);
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                boolean isClass = name.endsWith(".class") && !name.startsWith("META-INF/") && !isOfJmh(name);
                if (isClass && !name.contains("/jmh_generated/")) {
                    take(name, all(jar.getInputStream(entry)));
                }
            }
            if (list != null) {
                // `JMH S 12 com.x.Sorting ...`: classes with benchmarks, including those that only inherit them.
                for (String line : new String(all(jar.getInputStream(list)), StandardCharsets.UTF_8).split("\n")) {
                    String[] words = line.split(" ");
                    if (words.length > 3 && words[0].equals("JMH")) {
                        names.add(inJar(jar, words[3]));
                    }
                }
            }
        }
    }

    /** The name by which Java loads a class; the list separates nested classes with a dot too. */
    private static String inJar(JarFile jar, String listed) {
        String name = listed;
        while (jar.getJarEntry(name.replace('.', '/') + ".class") == null) {
            int point = name.lastIndexOf('.');
            if (point < 0) {
                return listed;
            }
            name = name.substring(0, point) + "$" + name.substring(point + 1);
        }
        return name;
    }

    /** Whether this is JMH itself, which benchmark jars contain. Its examples count as ordinary benchmarks. */
    private static boolean isOfJmh(String path) {
        return path.startsWith("org/openjdk/jmh/") && !path.startsWith("org/openjdk/jmh/samples/");
    }

    private static byte[] all(InputStream in) throws IOException {
        try (InputStream open = in) {
            return open.readAllBytes();
        }
    }

    /** Records a class whose file mentions the annotation, or that extends such a class. */
    private void take(String path, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
        files.put(name, bytes);
        for (String descriptor : Marks.DESCRIPTORS) {
            if (text.contains(descriptor)) {
                names.add(name);
            }
        }
    }

    /** Classes with benchmarks; an abstract class is replaced by its subclasses. */
    private List<Class<?>> types() {
        if (types != null) {
            return types;
        }
        Set<Class<?>> found = new LinkedHashSet<>();
        List<Class<?>> open = new ArrayList<>();
        for (String name : names) {
            Class<?> type = load(name);
            if (type != null && !isOfJmh(name.replace('.', '/'))) {
                (Modifier.isAbstract(type.getModifiers()) ? open : found).add(type);
            }
        }
        if (!open.isEmpty()) {
            for (String name : new TreeSet<>(files.keySet())) {
                Class<?> type = name.contains(".jmh_generated.") || name.contains("_jmhType") ? null : load(name);
                for (Class<?> above : open) {
                    if (type != null && !Modifier.isAbstract(type.getModifiers()) && above.isAssignableFrom(type)) {
                        found.add(type);
                    }
                }
            }
        }
        found.removeIf(type -> !isOfFile(type, System.getProperty("tare.file")));
        types = new ArrayList<>(found);
        return types;
    }

    /** Whether a class was compiled from the file `p/A.java` that the user named, and not from one that the compiler pulled in. */
    private boolean isOfFile(Class<?> type, String file) {
        String source = file == null ? null : ClassReader.of(files.getOrDefault(type.getName(), new byte[0])).source;
        String folder = type.getPackageName().isEmpty() ? "" : type.getPackageName().replace('.', '/') + "/";
        return source == null || file.equals(folder + source);
    }

    /** Loads a class without initialising it. */
    private Class<?> load(String name) {
        try {
            return Class.forName(name, false, Catalog.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError lacking) {
            notes.add("`" + name + "` cannot be loaded: " + lacking);
            return null;
        }
    }

    List<Case> cases() {
        if (cases == null) {
            cases = new ArrayList<>();
            for (Class<?> type : types()) {
                ClassReader reader = ClassReader.of(files.getOrDefault(type.getName(), new byte[0]));
                List<String> order = new ArrayList<>(reader.lines.keySet());
                List<Method> bodies = new ArrayList<>(Types.methods(type, "Benchmark"));
                // Inherited methods have no order of their own, and come last.
                bodies.sort(Comparator.comparingLong(body -> Integer.toUnsignedLong(order.indexOf(body.getName()))));
                for (Method body : bodies) {
                    add(type, body, reader);
                }
            }
        }
        return cases;
    }

    private void add(Class<?> type, Method body, ClassReader reader) {
        for (String name : WITHOUT_EFFECT) {
            Annotation mark = Marks.of(body, type, name);
            if (Marks.isJmh(mark)) {
                notes.add("`@" + name + "` has no effect: Tare measures until the result is clear; see `tare help measuring`");
            }
        }
        Integer line = reader.lines.get(body.getName());
        String file = reader.source;
        List<Class<?>> states = new ArrayList<>();
        List<List<Parameter>> products = new ArrayList<>();
        products.add(new ArrayList<>());
        String invalid = null;
        try {
            states = Types.states(type, body);
            for (Field field : Case.fields(states)) {
                List<List<Parameter>> next = new ArrayList<>();
                List<Parameter> values = Parameter.of(field, chosen.get(field.getName()));
                for (List<Parameter> before : products) {
                    for (Parameter value : values) {
                        List<Parameter> longer = new ArrayList<>(before);
                        longer.add(value);
                        next.add(longer);
                    }
                }
                products = next;
            }
        } catch (IllegalArgumentException | LinkageError wrong) {
            invalid = String.valueOf(wrong.getMessage());
        }
        for (List<Parameter> parameters : products) {
            cases.add(new Case(type, body, parameters, states, invalid, file, line == null ? 0 : line));
        }
    }

    /** Sends a line for each benchmark, and notes for the user. */
    void list(Child child) {
        Set<String> known = new HashSet<>();
        int index = 0;
        for (Case one : cases()) {
            String duplicate = known.add(one.key()) ? null : "`" + one.group() + "/" + one.name() + "` is there twice: give one `name = \"...\"`";
            child.reply(one.line(index++, duplicate));
        }
        child.reply(new Json("end").add("count", index).add("notes", notes.isEmpty() ? null : notes));
    }

    /** Sets the values of a parameter. Returns the number of benchmarks that have it. */
    int set(String name, List<String> values) {
        Set<String> benchmarks = new HashSet<>();
        for (Case one : cases()) {
            for (Parameter parameter : one.parameters) {
                if (parameter.name.equals(name)) {
                    // Throws if a value is invalid.
                    Parameter.of(parameter.field, values);
                    benchmarks.add(one.type.getName() + "." + one.body.getName());
                }
            }
        }
        if (!benchmarks.isEmpty()) {
            chosen.put(name, values);
            cases = null;
        }
        return benchmarks.size();
    }
}
