package tare.child;

/** Instructions of the virtual machine (JVMS 6.5) used in generated methods. */
final class Opcodes {
    static final int ACONST_NULL = 0x01;
    static final int ICONST_0 = 0x03;
    static final int LCONST_0 = 0x09;
    static final int LCONST_1 = 0x0a;
    static final int FCONST_0 = 0x0b;
    static final int DCONST_0 = 0x0e;
    static final int SIPUSH = 0x11;
    static final int LLOAD = 0x16;
    static final int ALOAD = 0x19;
    static final int AALOAD = 0x32;
    static final int LSTORE = 0x37;
    static final int ASTORE = 0x3a;
    static final int LADD = 0x61;
    static final int LSUB = 0x65;
    static final int I2L = 0x85;
    static final int D2L = 0x8f;
    static final int LCMP = 0x94;
    static final int IFNE = 0x9a;
    static final int IFGT = 0x9d;
    static final int GOTO = 0xa7;
    static final int LRETURN = 0xad;
    static final int ARETURN = 0xb0;
    static final int RETURN = 0xb1;
    static final int GETFIELD = 0xb4;
    static final int INVOKEVIRTUAL = 0xb6;
    static final int INVOKESPECIAL = 0xb7;
    static final int INVOKESTATIC = 0xb8;
    static final int CHECKCAST = 0xc0;

    private Opcodes() {
    }
}
