package tare.child;

import static tare.child.Opcodes.*;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import tare.child.ClassFile.Code;

/** Writes the loop of a benchmark as a class in the benchmark's package, which gives it access to non-public members. */
final class LoopWriter {
    /** The suffix of generated classes, which tells the compiler not to inline loops into the measuring code. */
    static final String SUFFIX = "TareLoop";

    private static final String LOOP = "tare/child/Loop";
    private static final String STATE = "tare/child/LoopState";
    private static final String SINK = Sink.IS_KNOWN ? "tare/child/Sink" : "tare/child/Compared";
    private static final String OBJECT = "java/lang/Object";
    private static final int STATE_LOCAL = 1;
    private static final int COUNT_LOCAL = 2;
    private static final int SUM_LOCAL = 4;
    private static final int TARGET_LOCAL = 6;
    private static int count;

    private final Class<?> type;
    private final Method body;
    private final boolean isEmpty;
    private final boolean hasOwnTime;
    private final ClassFile file;
    private final Class<?> result;

    private LoopWriter(Class<?> type, Method body, boolean isEmpty, boolean hasOwnTime) {
        this.type = type;
        this.body = body;
        this.isEmpty = isEmpty;
        this.hasOwnTime = hasOwnTime && !isEmpty;
        result = body.getReturnType();
        file = new ClassFile(internal(type) + "$" + body.getName() + count++ + SUFFIX, LOOP);
    }

    static Loop workload(Class<?> type, Method body, boolean hasOwnTime) throws IOException, ReflectiveOperationException {
        return new LoopWriter(type, body, false, hasOwnTime).make();
    }

    /** The same loop with an empty body. */
    static Loop overhead(Class<?> type, Method body) throws IOException, ReflectiveOperationException {
        return new LoopWriter(type, body, true, false).make();
    }

    private Loop make() throws IOException, ReflectiveOperationException {
        Code start = new Code(1, 1);
        start.local(ALOAD, 0).op(INVOKESPECIAL, file.method(LOOP, "<init>", "()V")).op(RETURN);
        file.add("<init>", "()V", start);
        file.add("run", "(L" + STATE + ";J)J", run());
        file.add("once", "(L" + STATE + ";)L" + OBJECT + ";", once());
        Class<?> made = MethodHandles.privateLookupIn(type, MethodHandles.lookup()).defineClass(file.bytes());
        return (Loop) made.getConstructor().newInstance();
    }

    private Code run() throws IOException {
        Code code = code();
        code.op(LCONST_0).local(LSTORE, SUM_LOCAL);
        load(code);
        int toTest = code.jump(GOTO);
        int turn = code.here();
        call(code);
        consume(code);
        code.local(LLOAD, COUNT_LOCAL).op(LCONST_1).op(LSUB).local(LSTORE, COUNT_LOCAL);
        code.land(toTest);
        code.local(ALOAD, STATE_LOCAL).op(GETFIELD, file.field(STATE, "isOver", "Z"));
        int toEnd = code.jump(IFNE);
        code.local(LLOAD, COUNT_LOCAL).op(LCONST_0).op(LCMP);
        code.jump(IFGT, turn);
        code.land(toEnd);
        code.local(LLOAD, SUM_LOCAL).op(LRETURN);
        return code;
    }

    private Code once() throws IOException {
        Code code = code();
        load(code);
        call(code);
        if (result == void.class) {
            code.op(ACONST_NULL);
        } else if (result.isPrimitive()) {
            Class<?> boxed = MethodType.methodType(result).wrap().returnType();
            code.op(INVOKESTATIC, file.method(internal(boxed), "valueOf", "(" + descriptor(result) + ")" + descriptor(boxed)));
        }
        code.op(ARETURN);
        return code;
    }

    private Code code() {
        int arguments = body.getParameterCount();
        return new Code(6 + arguments, TARGET_LOCAL + 1 + arguments);
    }

    /** Loads the instance and the arguments into local variables. */
    private void load(Code code) throws IOException {
        if (isEmpty) {
            return;
        }
        if (!Modifier.isStatic(body.getModifiers())) {
            code.local(ALOAD, STATE_LOCAL).op(GETFIELD, file.field(STATE, "target", "L" + OBJECT + ";"));
            code.op(CHECKCAST, file.type(internal(type))).local(ASTORE, TARGET_LOCAL);
        }
        Class<?>[] types = body.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            code.local(ALOAD, STATE_LOCAL).op(GETFIELD, file.field(STATE, "arguments", "[L" + OBJECT + ";")).op(SIPUSH, i).op(AALOAD);
            code.op(CHECKCAST, file.type(internal(types[i]))).local(ASTORE, TARGET_LOCAL + 1 + i);
        }
    }

    /** Leaves the result of an invocation on the stack. */
    private void call(Code code) throws IOException {
        if (isEmpty) {
            if (result != void.class) {
                int zero = result == long.class ? LCONST_0 : result == float.class ? FCONST_0 : result == double.class ? DCONST_0 : result.isPrimitive() ? ICONST_0 : ACONST_NULL;
                code.op(zero);
            }
            return;
        }
        boolean isStatic = Modifier.isStatic(body.getModifiers());
        if (!isStatic) {
            code.local(ALOAD, TARGET_LOCAL);
        }
        for (int i = 0; i < body.getParameterCount(); i++) {
            code.local(ALOAD, TARGET_LOCAL + 1 + i);
        }
        String descriptor = MethodType.methodType(result, body.getParameterTypes()).toMethodDescriptorString();
        String owner = internal(isStatic ? body.getDeclaringClass() : type);
        code.op(isStatic ? INVOKESTATIC : INVOKEVIRTUAL, file.method(owner, body.getName(), descriptor));
    }

    private void consume(Code code) throws IOException {
        if (result == void.class) {
            return;
        }
        if (hasOwnTime) {
            if (result == int.class) {
                code.op(I2L);
            } else if (result == double.class) {
                code.op(D2L);
            }
            code.local(LLOAD, SUM_LOCAL).op(LADD).local(LSTORE, SUM_LOCAL);
            return;
        }
        String taken = result.isPrimitive() ? descriptor(result) : "L" + OBJECT + ";";
        code.op(INVOKESTATIC, file.method(SINK, "keep", "(" + taken + ")V"));
    }

    private static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static String descriptor(Class<?> type) {
        String method = MethodType.methodType(void.class, type).toMethodDescriptorString();
        return method.substring(1, method.length() - 2);
    }
}
