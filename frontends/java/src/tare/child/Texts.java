package tare.child;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;

/** The text of a result (R21) and its digest. */
public final class Texts {
    private static final int DEPTH_MAX = 64;
    /** The end of `Object.toString`. */
    private static final Pattern ADDRESS = Pattern.compile("@[0-9a-f]{3,8}\\b");

    private Texts() {
    }

    /** The text of a result; null if it has none. */
    public static String of(Object value) {
        try {
            return written(value);
        } catch (RuntimeException | StackOverflowError ofUser) {
            // The user's `toString` throws, so there is no text.
            return null;
        }
    }

    private static String written(Object value) {
        Object inner = unwrapped(value);
        if (inner == null) {
            return null;
        }
        if (inner instanceof CharSequence || inner instanceof Character) {
            return whole(inner.toString());
        }
        StringBuilder text = new StringBuilder();
        return append(text, inner, false, 0) ? text.toString() : null;
    }

    public static String digest(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (one & 0xff)) * 0x100000001b3L;
        }
        return String.format("%016x", hash);
    }

    /** The first characters of a text, at most this number. */
    static String beginning(String text, int characters) {
        return text.codePointCount(0, text.length()) <= characters ? text : text.substring(0, text.offsetByCodePoints(0, characters));
    }

    /** Replaces unpaired surrogates with U+FFFD. */
    static String whole(String text) {
        StringBuilder found = null;
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            boolean isPair = Character.isHighSurrogate(one) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
            if (isPair) {
                i++;
            } else if (Character.isSurrogate(one)) {
                found = found == null ? new StringBuilder(text) : found;
                found.setCharAt(i, '\uFFFD');
            }
        }
        return found == null ? text : found.toString();
    }

    /** Quotes like `JSON.stringify`. */
    static void quote(StringBuilder text, CharSequence value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char one = value.charAt(i);
            int at = "\"\\\b\t\n\f\r".indexOf(one);
            if (at >= 0) {
                text.append('\\').append("\"\\btnfr".charAt(at));
            } else if (one < 0x20) {
                text.append(String.format("\\u%04x", (int) one));
            } else {
                text.append(one);
            }
        }
        text.append('"');
    }

    /** Formats a double like JavaScript. */
    public static String number(double value) {
        if (value == 0) {
            return "0";
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
        }
        BigDecimal shortest = shortest(value);
        double size = Math.abs(value);
        if (size >= 1e-6 && size < 1e21) {
            return shortest.toPlainString();
        }
        String digits = shortest.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - shortest.scale();
        String rest = digits.length() > 1 ? "." + digits.substring(1) : "";
        return (value < 0 ? "-" : "") + digits.charAt(0) + rest + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }

    /** The nearest decimal with the fewest digits that parses to the same double. */
    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        RoundingMode[] modes = {RoundingMode.HALF_EVEN, RoundingMode.UP, RoundingMode.DOWN};
        for (int digits = 1; digits < 17; digits++) {
            for (RoundingMode mode : modes) {
                BigDecimal found = exact.round(new MathContext(digits, mode));
                if (found.doubleValue() == value) {
                    return found.stripTrailingZeros();
                }
            }
        }
        return exact.round(new MathContext(17, RoundingMode.HALF_EVEN)).stripTrailingZeros();
    }

    private static Object unwrapped(Object value) {
        if (value instanceof Optional) {
            return unwrapped(((Optional<?>) value).orElse(null));
        }
        if (value instanceof OptionalInt) {
            return ((OptionalInt) value).isPresent() ? (Object) ((OptionalInt) value).getAsInt() : null;
        }
        if (value instanceof OptionalLong) {
            return ((OptionalLong) value).isPresent() ? (Object) ((OptionalLong) value).getAsLong() : null;
        }
        if (value instanceof OptionalDouble) {
            return ((OptionalDouble) value).isPresent() ? (Object) ((OptionalDouble) value).getAsDouble() : null;
        }
        return value;
    }

    private static boolean append(StringBuilder text, Object wrapped, boolean isQuoted, int depth) {
        Object value = unwrapped(wrapped);
        if (depth > DEPTH_MAX) {
            return false;
        }
        if (value == null) {
            text.append("null");
        } else if (value instanceof Double || value instanceof Float) {
            text.append(number(((Number) value).doubleValue()));
        } else if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte
            || value instanceof BigInteger || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof CharSequence || value instanceof Character || value instanceof Enum) {
            String name = value instanceof Enum ? ((Enum<?>) value).name() : value.toString();
            texts(text, name, isQuoted);
        } else if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            return list(text, java.util.Arrays.asList(entry.getKey(), entry.getValue()), depth);
        } else if (value.getClass().isArray()) {
            return array(text, value, depth);
        } else if (value instanceof List || value instanceof LinkedHashSet || value instanceof SortedSet || value instanceof ArrayDeque) {
            return list(text, (Collection<?>) value, depth);
        } else if (value instanceof LinkedHashMap || value instanceof SortedMap) {
            return list(text, ((Map<?, ?>) value).entrySet(), depth);
        } else if (value instanceof Collection || value instanceof Map) {
            return false;
        } else {
            return own(text, value, isQuoted);
        }
        return true;
    }

    private static void texts(StringBuilder text, String value, boolean isQuoted) {
        if (isQuoted) {
            quote(text, whole(value));
        } else {
            text.append(whole(value));
        }
    }

    /** Writes the text of a class with its own `toString`. */
    private static boolean own(StringBuilder text, Object value, boolean isQuoted) {
        try {
            if (value.getClass().getMethod("toString").getDeclaringClass() == Object.class) {
                return false;
            }
        } catch (NoSuchMethodException none) {
            return false;
        }
        String said = String.valueOf(value.toString());
        if (ADDRESS.matcher(said).find()) {
            return false;
        }
        texts(text, said, isQuoted);
        return true;
    }

    private static boolean list(StringBuilder text, Collection<?> values, int depth) {
        text.append('[');
        int count = 0;
        for (Object one : values) {
            text.append(count++ > 0 ? "," : "");
            if (!append(text, one, true, depth + 1)) {
                return false;
            }
        }
        text.append(']');
        return true;
    }

    /** Writes an array. Bytes are numbers from 0 to 255, as in other languages. */
    private static boolean array(StringBuilder text, Object values, int depth) {
        text.append('[');
        for (int i = 0; i < Array.getLength(values); i++) {
            text.append(i > 0 ? "," : "");
            Object one = values instanceof byte[] ? (Object) (((byte[]) values)[i] & 0xff) : Array.get(values, i);
            if (!append(text, one, true, depth + 1)) {
                return false;
            }
        }
        text.append(']');
        return true;
    }
}
