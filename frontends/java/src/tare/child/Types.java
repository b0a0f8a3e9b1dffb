package tare.child;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The declarations in the classes of states, including their superclasses. */
final class Types {
    /** Helpers of JMH that can be created without its runner. */
    private static final String BLACKHOLE = "org.openjdk.jmh.infra.Blackhole";
    private static final String CONTROL = "org.openjdk.jmh.infra.Control";
    /** The argument that JMH's own code passes, for this purpose. */
    private static final String CHALLENGE = "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.";

    private static final Map<String, List<Method>> KNOWN = new HashMap<>();

    private Types() {
    }

    /** The interfaces of a class, whose methods its superclasses override, then its superclasses, topmost first, and the class. */
    private static List<Class<?>> chain(Class<?> type) {
        List<Class<?>> classes = new ArrayList<>();
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            classes.add(above);
            addInterfaces(above, interfaces);
        }
        classes.addAll(interfaces);
        Collections.reverse(classes);
        return classes;
    }

    /** An interface comes before those that it extends. */
    private static void addInterfaces(Class<?> type, Set<Class<?>> found) {
        for (Class<?> one : type.getInterfaces()) {
            found.remove(one);
            found.add(one);
            addInterfaces(one, found);
        }
    }

    static List<Field> parameters(Class<?> type) {
        List<Field> found = new ArrayList<>();
        for (Class<?> one : chain(type)) {
            for (Field field : one.getDeclaredFields()) {
                if (Marks.has(field, "Param")) {
                    found.add(field);
                }
            }
        }
        return found;
    }

    /** Methods with an annotation; an overridden one counts once. */
    static List<Method> methods(Class<?> type, String mark) {
        String key = mark + " " + type.getName();
        List<Method> known = KNOWN.get(key);
        if (known == null) {
            known = find(type, mark);
            KNOWN.put(key, known);
        }
        return known;
    }

    private static List<Method> find(Class<?> type, String mark) {
        List<Method> found = new ArrayList<>();
        for (Class<?> one : chain(type)) {
            for (Method method : one.getDeclaredMethods()) {
                // A class does not inherit the static methods of its interfaces.
                boolean isInherited = !one.isInterface() || !Modifier.isStatic(method.getModifiers());
                if (isInherited && !method.isBridge() && Marks.has(method, mark)) {
                    for (int i = found.size() - 1; i >= 0; i--) {
                        if (isSame(found.get(i), method)) {
                            found.remove(i);
                        }
                    }
                    found.add(method);
                }
            }
        }
        // As in JMH, a method that is overridden without the annotation keeps it, and the override is called.
        for (Method method : found) {
            method.setAccessible(true);
        }
        return found;
    }

    private static boolean isSame(Method one, Method other) {
        return one.getName().equals(other.getName()) && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
    }

    static boolean isHelper(Class<?> type) {
        return type == tare.Blackhole.class || type.getName().equals(BLACKHOLE) || type.getName().equals(CONTROL);
    }

    static boolean isState(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (Marks.has(above, "State")) {
                return true;
            }
        }
        return false;
    }

    /** A blackhole or another non-state argument of a body. */
    static Object helper(Class<?> type) throws ReflectiveOperationException {
        if (type.getName().equals(BLACKHOLE)) {
            return type.getConstructor(String.class).newInstance(CHALLENGE);
        }
        java.lang.reflect.Constructor<?> made = type.getDeclaredConstructor();
        made.setAccessible(true);
        return made.newInstance();
    }

    /** The states of a benchmark: its own class, those that it takes, and those that their set-ups take, in order of dependency. */
    static List<Class<?>> states(Class<?> own, Method body) {
        Set<Class<?>> found = new LinkedHashSet<>();
        Set<Class<?>> open = new HashSet<>();
        if (!Modifier.isStatic(body.getModifiers())) {
            add(own, found, open);
        }
        for (Class<?> type : body.getParameterTypes()) {
            add(type, found, open);
        }
        return new ArrayList<>(found);
    }

    private static void add(Class<?> type, Set<Class<?>> found, Set<Class<?>> open) {
        if (isHelper(type) || found.contains(type)) {
            return;
        }
        if (!open.add(type)) {
            throw new IllegalArgumentException("the set-ups of `" + type.getSimpleName() + "` need each other");
        }
        for (String mark : new String[] {"Setup", "TearDown"}) {
            for (Method step : methods(type, mark)) {
                for (Class<?> needed : step.getParameterTypes()) {
                    add(needed, found, open);
                }
            }
        }
        open.remove(type);
        found.add(type);
    }
}
