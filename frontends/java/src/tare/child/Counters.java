package tare.child;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/** The runtime's performance counters, from the file that it maps. Reading one is cheap and loads no management classes. */
final class Counters {
    private static final MappedByteBuffer COUNTERS = counters();

    private Counters() {
    }

    static long at(int place) {
        return COUNTERS.getLong(place);
    }

    /** The text with this name; empty if there is none. */
    static String text(String name) {
        int place = place(name);
        StringBuilder text = new StringBuilder();
        for (int at = place; at >= 0 && at < COUNTERS.capacity() && COUNTERS.get(at) != 0; at++) {
            text.append((char) COUNTERS.get(at));
        }
        return text.toString();
    }

    private static MappedByteBuffer counters() {
        Path file = Paths.get("/tmp/hsperfdata_" + System.getProperty("user.name"), String.valueOf(ProcessHandle.current().pid()));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer found = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            found.order(ByteOrder.BIG_ENDIAN);
            boolean isKnown = found.getInt(0) == 0xcafec0c0;
            found.order(found.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            return isKnown ? found : null;
        } catch (IOException | RuntimeException none) {
            return null;
        }
    }

    /** The position of the value with this name; -1 if there is none. */
    static int place(String wanted) {
        if (COUNTERS == null) {
            return -1;
        }
        int entry = COUNTERS.getInt(24);
        byte[] name = wanted.getBytes(StandardCharsets.US_ASCII);
        for (int left = COUNTERS.getInt(28); left > 0 && entry + 20 < COUNTERS.capacity(); left--) {
            int length = COUNTERS.getInt(entry);
            int at = entry + COUNTERS.getInt(entry + 4);
            boolean isIt = at + name.length < COUNTERS.capacity() && COUNTERS.get(at + name.length) == 0;
            for (int i = 0; isIt && i < name.length; i++) {
                isIt = COUNTERS.get(at + i) == name[i];
            }
            if (isIt) {
                return entry + COUNTERS.getInt(entry + 16);
            }
            if (length <= 0) {
                return -1;
            }
            entry += length;
        }
        return -1;
    }
}
