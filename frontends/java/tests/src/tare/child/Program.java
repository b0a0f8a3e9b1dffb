package tare.child;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/** A program with benchmarks in this process, which answers the host's requests (spec/protocol.md). */
public final class Program {
    private final ByteArrayOutputStream replies = new ByteArrayOutputStream();
    private final PipedOutputStream requests = new PipedOutputStream();
    private final Child child;
    private JsonObject end;

    private Program(Path place) throws IOException {
        Strays.watch();
        child = new Child(Catalog.of(List.of(place.toString())), new PipedInputStream(requests), replies);
        ask("hello 1 metrics events windows");
    }

    /** A program with only these classes. */
    public static Program of(Class<?>... types) {
        try {
            Path folder = Files.createTempDirectory("tare-java-");
            for (Class<?> type : types) {
                String path = type.getName().replace('.', '/') + ".class";
                Files.createDirectories(folder.resolve(path).getParent());
                try (InputStream bytes = type.getResourceAsStream("/" + path)) {
                    Files.copy(bytes, folder.resolve(path));
                }
                folder.resolve(path).toFile().deleteOnExit();
            }
            return new Program(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A program whose classes are in a jar or folder. */
    public static Program at(Path place) throws IOException {
        return new Program(place);
    }

    public JsonObject ask(String request) {
        List<JsonObject> all = all(request);
        return all.get(all.size() - 1);
    }

    private List<JsonObject> all(String request) {
        replies.reset();
        try {
            requests.write((request + "\n").getBytes(StandardCharsets.US_ASCII));
            child.read();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        child.answer();
        List<JsonObject> all = new ArrayList<>();
        for (String line : replies.toString(StandardCharsets.UTF_8).split("\n")) {
            all.add(JsonParser.parseString(line).getAsJsonObject());
        }
        return all;
    }

    /** The lines of the list. */
    public List<JsonObject> list() {
        List<JsonObject> all = all("list");
        end = all.remove(all.size() - 1);
        return all;
    }

    /** The notes of the list. */
    public List<String> notes() {
        list();
        return texts(end.get("notes"));
    }

    /** The first line with this name. */
    public JsonObject line(String name) {
        for (JsonObject line : list()) {
            if (line.get("name").getAsString().equals(name)) {
                return line;
            }
        }
        throw new NoSuchElementException(name);
    }

    public JsonObject open(String name) {
        return ask("open " + line(name).get("index") + " 7");
    }

    /** The result of the open body. */
    public String check() {
        JsonElement text = ask("check").get("text");
        return text.isJsonNull() ? null : text.getAsString();
    }

    /** The error in a declaration. */
    public String invalid(String name) {
        return line(name).get("invalid").getAsString();
    }

    public static List<String> texts(JsonElement list) {
        List<String> texts = new ArrayList<>();
        for (JsonElement one : list == null ? new JsonArray() : list.getAsJsonArray()) {
            texts.add(one.getAsString());
        }
        return texts;
    }

    /** A member of each of these objects. */
    public static List<String> texts(JsonElement objects, String member) {
        List<String> texts = new ArrayList<>();
        for (JsonElement one : objects.getAsJsonArray()) {
            texts.add(one.getAsJsonObject().get(member).getAsString());
        }
        return texts;
    }

    public static List<Long> numbers(JsonElement list) {
        List<Long> numbers = new ArrayList<>();
        for (JsonElement one : list.getAsJsonArray()) {
            numbers.add(one.getAsLong());
        }
        return numbers;
    }
}
