package tare.child;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/** A reply: one JSON object, built from its beginning to its end. */
final class Json {
    private final StringBuilder text = new StringBuilder(256);
    private boolean isFirst = true;

    /** An object without a name. */
    Json() {
        text.append('{');
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
        text.append("null");
        return this;
    }

    Json add(String name, double[] values) {
        key(name);
        text.append('[');
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                text.append(',');
            }
            number(values[i]);
        }
        text.append(']');
        return this;
    }

    Json add(String name, long[] values) {
        key(name);
        text.append('[');
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                text.append(',');
            }
            text.append(values[i]);
        }
        text.append(']');
        return this;
    }

    private void key(String name) {
        if (!isFirst) {
            text.append(',');
        }
        isFirst = false;
        Texts.quote(text, name);
        text.append(':');
    }

    private void number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            text.append((long) value);
        } else {
            text.append(value);
        }
    }

    private void value(Object value) {
        if (value instanceof Json) {
            text.append(((Json) value).text).append('}');
        } else if (value instanceof Double) {
            number((Double) value);
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof Collection) {
            text.append('[');
            int count = 0;
            for (Object one : (Collection<?>) value) {
                text.append(count++ > 0 ? "," : "");
                value(one);
            }
            text.append(']');
        } else if (value instanceof Map) {
            Json object = new Json();
            for (Map.Entry<?, ?> one : ((Map<?, ?>) value).entrySet()) {
                object.add(String.valueOf(one.getKey()), one.getValue());
            }
            value(object);
        } else {
            Texts.quote(text, Texts.whole(value.toString()));
        }
    }

    /** The line, with its end. */
    byte[] line() {
        return (text + "}\n").getBytes(StandardCharsets.UTF_8);
    }
}
