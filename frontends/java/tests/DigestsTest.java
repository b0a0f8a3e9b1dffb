// The texts and digests of the values in spec/digests.txt.

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import tare.child.Texts;

public class DigestsTest {
    public static void main(String[] arguments) throws Exception {
        int seen = 0;
        int wrong = 0;
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] columns = line.split("\t", -1);
            if (line.startsWith("#") || columns.length != 4) {
                continue;
            }
            Object value;
            try {
                value = value(columns[0], columns[1].equals("-") ? "" : columns[1]);
            } catch (CharacterCodingException noText) {
                // No string of Java has bytes that are not UTF-8.
                continue;
            }
            seen++;
            String text = Texts.of(value);
            if (text == null || !Texts.digest(text).equals(columns[2])) {
                wrong++;
                System.out.println(line + ": the text is " + text);
            }
        }
        for (Object none : new Object[] {new LinkedHashSet<>(List.of(new Object())), new Object(), java.util.Set.of(1, 2), java.util.Map.of(1, 2)}) {
            if (Texts.of(none) != null) {
                wrong++;
                System.out.println("a text where there is none: " + Texts.of(none));
            }
        }
        if (!Texts.of(new byte[] {-1, 1}).equals("[255,1]")) {
            wrong++;
            System.out.println("bytes are not numbers from 0 to 255");
        }
        System.out.println(seen + " values, " + wrong + " wrong");
        System.exit(wrong == 0 && seen > 50 ? 0 : 1);
    }

    private static Object value(String kind, String text) throws CharacterCodingException {
        switch (kind) {
            case "integer":
                return new BigInteger(text);
            case "float":
                return Double.longBitsToDouble(Long.parseUnsignedLong(text, 16));
            case "boolean":
                return Boolean.valueOf(text);
            case "text":
                return text(text);
            case "integers":
                return list(text, ",", BigInteger::new);
            case "floats":
                return list(text, ",", bits -> Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16)));
            case "booleans":
                return list(text, ",", Boolean::valueOf);
            case "texts":
                return list(text, ",", DigestsTest::textOf);
            case "lists":
                return list(text, ";", inner -> list(inner, ",", BigInteger::new));
            case "pairs":
                return list(text, ",", pair -> new SimpleEntry<>(Long.valueOf(pair.split(":")[0]), textOf(pair.split(":", 2)[1])));
            default:
                throw new IllegalArgumentException(kind);
        }
    }

    private static String textOf(String hexadecimal) {
        try {
            return text(hexadecimal.equals("-") ? "" : hexadecimal);
        } catch (CharacterCodingException noText) {
            throw new IllegalArgumentException(noText);
        }
    }

    private static String text(String hexadecimal) throws CharacterCodingException {
        byte[] bytes = new byte[hexadecimal.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hexadecimal.substring(2 * i, 2 * i + 2), 16);
        }
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private static <T> List<T> list(String text, String mark, Function<String, T> read) {
        List<T> found = new ArrayList<>();
        for (String one : text.isEmpty() ? new String[0] : text.split(mark, -1)) {
            found.add(read.apply(one));
        }
        return found;
    }
}
