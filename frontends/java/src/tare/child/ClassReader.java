package tare.child;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads from a class file what reflection does not provide: the source file, and the order and lines of methods. */
final class ClassReader {
    /** The name of the source file; null if it was left out. */
    String source;
    /** The first line of each method, in source order. */
    final Map<String, Integer> lines = new LinkedHashMap<>();
    private String[] texts;

    static ClassReader of(byte[] bytes) {
        ClassReader reader = new ClassReader();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            reader.read(in);
        } catch (IOException | RuntimeException other) {
            // An unknown format of the class file: no positions.
            reader.source = null;
        }
        return reader;
    }

    private void read(DataInputStream in) throws IOException {
        in.skipBytes(8);
        constants(in);
        in.skipBytes(6);
        in.skipBytes(2 * in.readUnsignedShort());
        members(in, false);
        members(in, true);
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            String name = texts[in.readUnsignedShort()];
            int length = in.readInt();
            if ("SourceFile".equals(name)) {
                source = texts[in.readUnsignedShort()];
            } else {
                in.skipBytes(length);
            }
        }
    }

    private void constants(DataInputStream in) throws IOException {
        texts = new String[in.readUnsignedShort()];
        for (int i = 1; i < texts.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1:
                    texts[i] = in.readUTF();
                    break;
                case 5:
                case 6:
                    in.skipBytes(8);
                    i++;
                    break;
                case 7:
                case 8:
                case 16:
                case 19:
                case 20:
                    in.skipBytes(2);
                    break;
                case 15:
                    in.skipBytes(3);
                    break;
                default:
                    in.skipBytes(4);
            }
        }
    }

    private void members(DataInputStream in, boolean areMethods) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            in.skipBytes(2);
            String name = texts[in.readUnsignedShort()];
            in.skipBytes(2);
            int line = 0;
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                String attribute = texts[in.readUnsignedShort()];
                int length = in.readInt();
                if (areMethods && "Code".equals(attribute)) {
                    line = firstLine(in);
                } else {
                    in.skipBytes(length);
                }
            }
            if (areMethods) {
                lines.putIfAbsent(name, line);
            }
        }
    }

    private int firstLine(DataInputStream in) throws IOException {
        int line = 0;
        in.skipBytes(4);
        in.skipBytes(in.readInt());
        in.skipBytes(8 * in.readUnsignedShort());
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            String name = texts[in.readUnsignedShort()];
            int length = in.readInt();
            if ("LineNumberTable".equals(name) && length >= 6) {
                in.skipBytes(4);
                line = in.readUnsignedShort();
                in.skipBytes(length - 6);
            } else {
                in.skipBytes(length);
            }
        }
        return line;
    }
}
