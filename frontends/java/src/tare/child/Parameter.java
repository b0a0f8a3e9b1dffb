package tare.child;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/** A field with declared values, and one of them. */
final class Parameter {
    final Field field;
    final String name;
    final Object value;
    final String text;

    private Parameter(Field field, Object value) {
        this.field = field;
        this.name = field.getName();
        this.value = value;
        this.text = value instanceof Enum ? ((Enum<?>) value).name() : Texts.of(value);
    }

    /** One parameter per value: those of `set` if given, else the declared ones. */
    static List<Parameter> of(Field field, List<String> chosen) {
        if (Modifier.isFinal(field.getModifiers())) {
            throw new IllegalArgumentException("`" + field.getName() + "` is `final`, so it keeps its value: remove that word");
        }
        field.setAccessible(true);
        Annotation mark = Marks.of(field, "Param");
        List<String> texts = chosen == null ? Marks.words(mark, "value") : chosen;
        // JMH's placeholder for an element without values.
        boolean isBlank = chosen == null && texts.size() == 1 && texts.get(0).equals("blank_blank_blank_2014");
        List<Parameter> found = new ArrayList<>();
        for (String text : new LinkedHashSet<>(texts.isEmpty() || isBlank ? all(field) : texts)) {
            found.add(new Parameter(field, read(field, text)));
        }
        return found;
    }

    /** All values of a type with few values. */
    private static List<String> all(Field field) {
        if (field.getType().isEnum()) {
            List<String> names = new ArrayList<>();
            for (Object one : field.getType().getEnumConstants()) {
                names.add(((Enum<?>) one).name());
            }
            return names;
        }
        if (field.getType() == boolean.class || field.getType() == Boolean.class) {
            return Arrays.asList("false", "true");
        }
        throw new IllegalArgumentException("`" + field.getName() + "` has no values: write `@Param({\"1\", \"2\"})`");
    }

    String type() {
        if (value instanceof Float || value instanceof Double) {
            return "float";
        }
        return value instanceof Number ? "integer" : value instanceof Boolean ? "boolean" : "text";
    }

    private static Object read(Field field, String text) {
        Class<?> type = field.getType();
        try {
            return value(type, text);
        } catch (IllegalArgumentException | InvocationTargetException wrong) {
            throw new IllegalArgumentException("`" + text + "` is not a value of `" + field.getName() + "`, which is " + kind(type), wrong);
        } catch (ReflectiveOperationException none) {
            throw new IllegalArgumentException("`" + field.getName() + "` is of type `" + type.getSimpleName() + "`, which no parameter can have: "
                + "take a number, a boolean, a text or an enum");
        }
    }

    private static String kind(Class<?> type) {
        return type.isEnum() ? "one of " + Arrays.toString(type.getEnumConstants()) : "of type `" + type.getSimpleName() + "`";
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object value(Class<?> type, String text) throws ReflectiveOperationException {
        Class<?> boxed = MethodType.methodType(type).wrap().returnType();
        if (boxed == String.class || boxed == CharSequence.class || boxed == Object.class) {
            return text;
        }
        if (boxed.isEnum()) {
            return Enum.valueOf((Class<? extends Enum>) boxed, text);
        }
        if (boxed == Boolean.class && !text.equals("true") && !text.equals("false") || boxed == Character.class && text.length() != 1) {
            throw new IllegalArgumentException(text);
        }
        // `Integer.valueOf("1")` and its like.
        return boxed == Character.class ? text.charAt(0) : boxed.getMethod("valueOf", String.class).invoke(null, text);
    }
}
