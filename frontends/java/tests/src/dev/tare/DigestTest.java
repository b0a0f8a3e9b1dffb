package dev.tare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tare.child.Texts;

/** Texts and digests of values are the same in all languages. */
class DigestTest {
    private interface Read {
        Object of(String text) throws CharacterCodingException;
    }

    @Test
    void digestsAreThoseOfAllLanguages() throws IOException {
        int compared = 0;
        for (String line : Files.readAllLines(Place.ROOT.resolve("spec/digests.txt"))) {
            String[] columns = line.split("\t", -1);
            if (line.startsWith("#") || columns.length != 4) {
                continue;
            }
            Object value;
            try {
                value = value(columns[0], columns[1].equals("-") ? "" : columns[1]);
            } catch (CharacterCodingException noText) {
                // A Java string cannot hold invalid UTF-8.
                continue;
            }
            assertEquals(columns[2], Texts.digest(Texts.of(value)), line);
            compared++;
        }
        assertTrue(compared > 50, compared + " lines");
    }

    @Test
    void whatHasNoOrderOrNoTextOfItsOwnHasNone() {
        assertNull(Texts.of(new Object()));
        assertNull(Texts.of(new LinkedHashSet<>(List.of(new Object()))));
        assertNull(Texts.of(Set.of(1, 2)));
        assertNull(Texts.of(Map.of(1, 2)));
    }

    @Test
    void bytesAreNumbersFrom0To255() {
        assertEquals("[255,1]", Texts.of(new byte[] {-1, 1}));
    }

    private static Object value(String kind, String text) throws CharacterCodingException {
        return switch (kind) {
            case "integer" -> new BigInteger(text);
            case "float" -> real(text);
            case "boolean" -> Boolean.valueOf(text);
            case "text" -> text(text);
            case "integers" -> list(text, ",", BigInteger::new);
            case "floats" -> list(text, ",", DigestTest::real);
            case "booleans" -> list(text, ",", Boolean::valueOf);
            case "texts" -> list(text, ",", DigestTest::text);
            case "lists" -> list(text, ";", inner -> list(inner, ",", BigInteger::new));
            case "pairs" -> list(text, ",", pair -> Map.entry(Long.valueOf(pair.split(":")[0]), text(pair.split(":")[1])));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static double real(String bits) {
        return Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
    }

    private static String text(String bytes) throws CharacterCodingException {
        byte[] all = HexFormat.of().parseHex(bytes.equals("-") ? "" : bytes);
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(all)).toString();
    }

    private static List<Object> list(String text, String between, Read read) throws CharacterCodingException {
        List<Object> found = new ArrayList<>();
        for (String one : text.isEmpty() ? new String[0] : text.split(between, -1)) {
            found.add(read.of(one));
        }
        return found;
    }
}
