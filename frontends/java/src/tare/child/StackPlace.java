package tare.child;

import static tare.child.Opcodes.ALOAD;
import static tare.child.Opcodes.INVOKESPECIAL;
import static tare.child.Opcodes.INVOKEVIRTUAL;
import static tare.child.Opcodes.LLOAD;
import static tare.child.Opcodes.RETURN;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import tare.child.ClassFile.Code;

/**
 * Runs the iterations below a frame of variable size, which moves the frames of the body on the stack. It is always a single frame, because
 * each frame makes the stack traces of exceptions slower. Only the interpreter keeps unused variables, so the virtual machine is told not to
 * compile these methods.
 */
abstract class StackPlace {
    /** Positions per page. */
    private static final int COUNT = 16;
    /** The distance between successive positions, so that a few of them spread over the page. */
    private static final int STEP = 7;
    private static final int WORDS = 4096 / 8 / COUNT;
    private static final String SUFFIX = "TarePlace";
    private static final String NAME = "tare/child/StackPlace";
    private static final String MEASUREMENT = "tare/child/Measurement";
    private static final StackPlace[] MADE = new StackPlace[COUNT];

    abstract void run(Measurement measurement, long lead);

    /** The position of a launch, or the one after the previous request's. */
    static int after(long place) {
        return (int) Long.remainderUnsigned(place + STEP, COUNT);
    }

    /** Makes all of them in advance, so that the class writer is not compiled between visits. */
    static void makeAll() {
        for (int place = 0; place < COUNT; place++) {
            of(place);
        }
    }

    static StackPlace of(int place) {
        if (MADE[place] == null) {
            MADE[place] = make(place);
        }
        return MADE[place];
    }

    private static StackPlace make(int place) {
        try {
            ClassFile file = new ClassFile("tare/child/At" + place + SUFFIX, NAME);
            Code start = new Code(1, 1);
            start.local(ALOAD, 0).op(INVOKESPECIAL, file.method(NAME, "<init>", "()V")).op(RETURN);
            file.add("<init>", "()V", start);
            Code run = new Code(3, 4 + WORDS * place);
            run.local(ALOAD, 1).local(LLOAD, 2).op(INVOKEVIRTUAL, file.method(MEASUREMENT, "iterations", "(J)V")).op(RETURN);
            file.add("run", "(L" + MEASUREMENT + ";J)V", run);
            return (StackPlace) MethodHandles.lookup().defineClass(file.bytes()).getDeclaredConstructor().newInstance();
        } catch (IOException | ReflectiveOperationException failed) {
            throw new Refused("not-supported", "the stack cannot be moved: " + failed);
        }
    }
}
