package tare.child;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a class of a few methods. Of version 49, whose methods need no maps of the stack; every runtime reads it. */
final class ClassFile {
    private static final int VERSION = 49;
    private static final int PUBLIC_FINAL_SUPER = 0x0031;
    private final ByteArrayOutputStream pool = new ByteArrayOutputStream();
    private final Map<String, Integer> known = new LinkedHashMap<>();
    private final ByteArrayOutputStream methods = new ByteArrayOutputStream();
    private final String name;
    private final String parent;
    private int methodCount;
    private int poolCount = 1;

    /** Names as in class files: with slashes. */
    ClassFile(String name, String parent) {
        this.name = name;
        this.parent = parent;
    }

    int utf8(String text) {
        return entry("u" + text, out -> {
            out.writeByte(1);
            out.writeUTF(text);
        });
    }

    int type(String internal) {
        int place = utf8(internal);
        return entry("c" + internal, out -> {
            out.writeByte(7);
            out.writeShort(place);
        });
    }

    int field(String owner, String member, String descriptor) {
        return member(9, owner, member, descriptor);
    }

    int method(String owner, String member, String descriptor) {
        return member(10, owner, member, descriptor);
    }

    private int member(int tag, String owner, String member, String descriptor) {
        int of = type(owner);
        int named = utf8(member);
        int typed = utf8(descriptor);
        int both = entry("n" + member + " " + descriptor, out -> {
            out.writeByte(12);
            out.writeShort(named);
            out.writeShort(typed);
        });
        return entry(tag + owner + " " + member + " " + descriptor, out -> {
            out.writeByte(tag);
            out.writeShort(of);
            out.writeShort(both);
        });
    }

    /** Adds a public method. */
    void add(String member, String descriptor, Code code) {
        int named = utf8(member);
        int typed = utf8(descriptor);
        int attribute = utf8("Code");
        byte[] bytes = code.bytes();
        write(methods, out -> {
            out.writeShort(1);
            out.writeShort(named);
            out.writeShort(typed);
            out.writeShort(1);
            out.writeShort(attribute);
            out.writeInt(bytes.length + 12);
            out.writeShort(code.stackMax);
            out.writeShort(code.locals);
            out.writeInt(bytes.length);
            out.write(bytes);
            out.writeInt(0);
        });
        methodCount++;
    }

    byte[] bytes() {
        int own = type(name);
        int above = type(parent);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        write(all, out -> {
            out.writeInt(0xCAFEBABE);
            out.writeInt(VERSION);
            out.writeShort(poolCount);
            out.write(pool.toByteArray());
            out.writeShort(PUBLIC_FINAL_SUPER);
            out.writeShort(own);
            out.writeShort(above);
            out.writeInt(0);
            out.writeShort(methodCount);
            out.write(methods.toByteArray());
            out.writeShort(0);
        });
        return all.toByteArray();
    }

    private int entry(String key, Part part) {
        Integer place = known.get(key);
        if (place == null) {
            write(pool, part);
            place = poolCount++;
            known.put(key, place);
        }
        return place;
    }

    private static void write(ByteArrayOutputStream to, Part part) {
        try (DataOutputStream out = new DataOutputStream(to)) {
            part.write(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private interface Part {
        void write(DataOutputStream out) throws IOException;
    }

    /** The code of a method. */
    static final class Code {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int stackMax;
        private final int locals;
        private byte[] patched;

        Code(int stackMax, int locals) {
            this.stackMax = stackMax;
            this.locals = locals;
        }

        Code op(int opcode) {
            bytes.write(opcode);
            return this;
        }

        /** With a place of the pool, or a number of two bytes. */
        Code op(int opcode, int operand) {
            bytes.write(opcode);
            bytes.write(operand >> 8);
            bytes.write(operand);
            return this;
        }

        /** With the number of a local variable. */
        Code local(int opcode, int number) {
            bytes.write(opcode);
            bytes.write(number);
            return this;
        }

        int here() {
            return bytes.size();
        }

        /** A jump whose aim is given later. */
        int jump(int opcode) {
            int at = here();
            op(opcode, 0);
            return at;
        }

        /** A jump to what was written before. */
        void jump(int opcode, int aim) {
            op(opcode, aim - here());
        }

        /** The jump goes here. */
        void land(int jump) {
            patched = bytes();
            int distance = here() - jump;
            patched[jump + 1] = (byte) (distance >> 8);
            patched[jump + 2] = (byte) distance;
            bytes.reset();
            bytes.write(patched, 0, patched.length);
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }
    }
}
