package tare.child;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Writes a class with a few methods, in version 49: it needs no stack maps, and every runtime reads it. */
final class ClassFile {
    private static final int VERSION = 49;
    private static final int PUBLIC_FINAL_SUPER = 0x0031;
    private final ByteArrayOutputStream pool = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(pool);
    private final Map<String, Integer> known = new HashMap<>();
    private final ByteArrayOutputStream methods = new ByteArrayOutputStream();
    private final String name;
    private final String parent;
    private int methodCount;
    private int poolCount = 1;

    /** Names are as in class files, with slashes. */
    ClassFile(String name, String parent) {
        this.name = name;
        this.parent = parent;
    }

    int utf8(String text) throws IOException {
        String key = "u" + text;
        if (!known.containsKey(key)) {
            out.writeByte(1);
            out.writeUTF(text);
            known.put(key, poolCount++);
        }
        return known.get(key);
    }

    int type(String internal) throws IOException {
        int place = utf8(internal);
        return entry("c" + internal, 7, place, -1);
    }

    int field(String owner, String member, String descriptor) throws IOException {
        return member(9, owner, member, descriptor);
    }

    int method(String owner, String member, String descriptor) throws IOException {
        return member(10, owner, member, descriptor);
    }

    private int member(int tag, String owner, String member, String descriptor) throws IOException {
        int of = type(owner);
        int named = utf8(member);
        int both = entry("n" + member + " " + descriptor, 12, named, utf8(descriptor));
        return entry(tag + owner + " " + member + " " + descriptor, tag, of, both);
    }

    /** Adds an entry with one or two numbers to the constant pool. */
    private int entry(String key, int tag, int first, int second) throws IOException {
        if (!known.containsKey(key)) {
            out.writeByte(tag);
            out.writeShort(first);
            if (second >= 0) {
                out.writeShort(second);
            }
            known.put(key, poolCount++);
        }
        return known.get(key);
    }

    void add(String member, String descriptor, Code code) throws IOException {
        byte[] bytes = code.bytes();
        DataOutputStream to = new DataOutputStream(methods);
        to.writeShort(1);
        to.writeShort(utf8(member));
        to.writeShort(utf8(descriptor));
        to.writeShort(1);
        to.writeShort(utf8("Code"));
        to.writeInt(bytes.length + 12);
        to.writeShort(code.stackMax);
        to.writeShort(code.locals);
        to.writeInt(bytes.length);
        to.write(bytes);
        to.writeInt(0);
        methodCount++;
    }

    byte[] bytes() throws IOException {
        int own = type(name);
        int above = type(parent);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(all);
        to.writeInt(0xCAFEBABE);
        to.writeInt(VERSION);
        to.writeShort(poolCount);
        to.write(pool.toByteArray());
        to.writeShort(PUBLIC_FINAL_SUPER);
        to.writeShort(own);
        to.writeShort(above);
        to.writeInt(0);
        to.writeShort(methodCount);
        to.write(methods.toByteArray());
        to.writeShort(0);
        return all.toByteArray();
    }

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

        /** Adds an instruction with a constant-pool index or a two-byte number. */
        Code op(int opcode, int operand) {
            bytes.write(opcode);
            bytes.write(operand >> 8);
            bytes.write(operand);
            return this;
        }

        /** Adds an instruction with the index of a local variable. */
        Code local(int opcode, int number) {
            bytes.write(opcode);
            bytes.write(number);
            return this;
        }

        int here() {
            return bytes.size();
        }

        /** Adds a jump whose target is set by `land`. */
        int jump(int opcode) {
            int at = here();
            op(opcode, 0);
            return at;
        }

        /** Adds a backward jump. */
        void jump(int opcode, int aim) {
            op(opcode, aim - here());
        }

        /** Makes the current position the target of a jump. */
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
