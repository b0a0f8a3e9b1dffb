package tare.child;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/**
 * A reply: one JSON object, built from start to end. Numbers are written digit by digit, because runtime classes used by a reply would
 * be compiled during a warm-up, as if the body were still being compiled.
 */
final class Json {
    private static final int DIGITS_MAX = 20;

    private byte[] text = new byte[512];
    private int length;
    private boolean isFirst = true;

    /** An object without a name. */
    Json() {
        put('{');
    }

    Json(String reply) {
        this();
        add("reply", reply);
    }

    Json add(String name, Object value) {
        if (value == null) {
            return this;
        }
        key(name);
        value(value);
        return this;
    }

    Json addNull(String name) {
        key(name);
        ascii("null");
        return this;
    }

    Json add(String name, double[] values) {
        key(name);
        put('[');
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                put(',');
            }
            number(values[i]);
        }
        put(']');
        return this;
    }

    Json add(String name, long[] values) {
        key(name);
        put('[');
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                put(',');
            }
            number(values[i]);
        }
        put(']');
        return this;
    }

    private void key(String name) {
        if (!isFirst) {
            put(',');
        }
        isFirst = false;
        quote(name);
        put(':');
    }

    private void number(double value) {
        if ((long) value == value && value < 1e15 && value > -1e15) {
            number((long) value);
        } else {
            ascii(Double.toString(value));
        }
    }

    private void number(long value) {
        if (value < 0) {
            put('-');
        }
        room(DIGITS_MAX);
        int end = length + 1;
        for (long left = value / 10; left != 0; left /= 10) {
            end++;
        }
        length = end;
        for (long left = value; end == length || left != 0; left /= 10) {
            int digit = (int) (left % 10);
            text[--end] = (byte) ('0' + (digit < 0 ? -digit : digit));
        }
    }

    private void value(Object value) {
        if (value instanceof Json) {
            Json object = (Json) value;
            bytes(object.text, object.length);
            put('}');
        } else if (value instanceof Double) {
            number((double) (Double) value);
        } else if (value instanceof Number || value instanceof Boolean) {
            ascii(value.toString());
        } else if (value instanceof Collection) {
            put('[');
            int count = 0;
            for (Object one : (Collection<?>) value) {
                if (count++ > 0) {
                    put(',');
                }
                value(one);
            }
            put(']');
        } else if (value instanceof Map) {
            Json object = new Json();
            for (Map.Entry<?, ?> one : ((Map<?, ?>) value).entrySet()) {
                object.add(String.valueOf(one.getKey()), one.getValue());
            }
            value(object);
        } else {
            quote(value.toString());
        }
    }

    private void quote(String value) {
        if (isPlain(value)) {
            put('"');
            ascii(value);
            put('"');
            return;
        }
        StringBuilder quoted = new StringBuilder();
        Texts.quote(quoted, Texts.whole(value));
        byte[] bytes = quoted.toString().getBytes(StandardCharsets.UTF_8);
        bytes(bytes, bytes.length);
    }

    private static boolean isPlain(String value) {
        for (int at = 0; at < value.length(); at++) {
            char one = value.charAt(at);
            if (one < ' ' || one > '~' || one == '"' || one == '\\') {
                return false;
            }
        }
        return true;
    }

    private void ascii(String word) {
        for (int at = 0; at < word.length(); at++) {
            put(word.charAt(at));
        }
    }

    private void bytes(byte[] from, int count) {
        room(count);
        System.arraycopy(from, 0, text, length, count);
        length += count;
    }

    private void put(char one) {
        room(1);
        text[length++] = (byte) one;
    }

    private void room(int more) {
        if (length + more > text.length) {
            text = Arrays.copyOf(text, 2 * (length + more));
        }
    }

    /** The line, with its end. */
    byte[] line() {
        put('}');
        put('\n');
        return Arrays.copyOf(text, length);
    }
}
