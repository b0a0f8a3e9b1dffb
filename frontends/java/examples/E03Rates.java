// Rates per second, numbers of operations known after the set-up, and data made once per run.
//
//   tare run frontends/java/examples/E03Rates.java

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import tare.*;

public class E03Rates {
    @State
    public static class Text {
        byte[] bytes;
        int lines;

        @Setup
        public void read() throws Exception {
            // The first process writes the file; all of them read it.
            String file = Tare.oncePerRun("text", folder -> {
                Path made = folder.resolve("text");
                Files.writeString(made, "a line of text\n".repeat(300));
                return made.toString();
            });
            bytes = Files.readAllBytes(Path.of(file));
            for (byte one : bytes) {
                lines += one == '\n' ? 1 : 0;
            }
        }

        @Rate("bytes")
        public long bytes() {
            return bytes.length;
        }

        @Operations
        public long lines() {
            return lines;
        }
    }

    @Benchmark(unit = "line")
    public byte[] sha256(Text text) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(text.bytes);
    }

    @Benchmark(bytes = 4096)
    public int fill(Block block) {
        for (int i = 0; i < block.bytes.length; i++) {
            block.bytes[i] = (byte) i;
        }
        return block.bytes[77];
    }

    @State
    public static class Block {
        byte[] bytes = new byte[4096];
    }
}
