package tare.child;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads annotations by name: those of the package `tare`, and JMH's with the same meaning. JMH's classes come from the user's class path;
 * no code here refers to them.
 */
final class Marks {
    static final String OWN = "tare.";
    static final String JMH = "org.openjdk.jmh.annotations.";
    /** Texts that the class files of benchmarks contain. */
    static final List<String> DESCRIPTORS = Arrays.asList("Ltare/Benchmark;", "Lorg/openjdk/jmh/annotations/Benchmark;");

    private Marks() {
    }

    /** The annotation of this name, or null. */
    static Annotation of(AnnotatedElement element, String name) {
        for (Annotation mark : element.getAnnotations()) {
            String found = mark.annotationType().getName();
            boolean isIt = found.endsWith(name) && (found.startsWith(OWN) || found.startsWith(JMH)) && found.charAt(found.length() - name.length() - 1) == '.';
            if (isIt) {
                return mark;
            }
        }
        return null;
    }

    static boolean has(AnnotatedElement element, String name) {
        return of(element, name) != null;
    }

    static boolean isJmh(Annotation mark) {
        return mark != null && mark.annotationType().getName().startsWith(JMH);
    }

    /** The annotation of the method, or else of its class, a superclass or an enclosing class. */
    static Annotation of(Method method, Class<?> type, String name) {
        Annotation mark = of(method, name);
        for (Class<?> around = type; mark == null && around != null; around = around.getEnclosingClass()) {
            for (Class<?> above = around; mark == null && above != null; above = above.getSuperclass()) {
                mark = of(above, name);
            }
        }
        return mark;
    }

    /** The value of an element, or null if the annotation does not have it. */
    static Object value(Annotation mark, String element) {
        try {
            Method method = mark.annotationType().getDeclaredMethod(element);
            method.setAccessible(true);
            return method.invoke(mark);
        } catch (NoSuchMethodException none) {
            return null;
        } catch (IllegalAccessException | InvocationTargetException failed) {
            throw new IllegalStateException("`@" + mark.annotationType().getSimpleName() + "` cannot be read: " + failed, failed);
        }
    }

    static String text(Annotation mark, String element) {
        Object value = mark == null ? null : value(mark, element);
        return value == null ? "" : value.toString();
    }

    static long number(Annotation mark, String element, long otherwise) {
        Object value = mark == null ? null : value(mark, element);
        return value instanceof Number ? ((Number) value).longValue() : otherwise;
    }

    static boolean is(Annotation mark, String element) {
        return mark != null && Boolean.TRUE.equals(value(mark, element));
    }

    /** The words of an element that is a list of texts or enum constants. */
    static List<String> words(Annotation mark, String element) {
        Object value = mark == null ? null : value(mark, element);
        if (!(value instanceof Object[])) {
            return Arrays.asList();
        }
        List<String> words = new ArrayList<>();
        for (Object one : (Object[]) value) {
            words.add(String.valueOf(one));
        }
        return words;
    }
}
