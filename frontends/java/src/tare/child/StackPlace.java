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
 * Runs the iterations from a frame of another size, so that those of the body lie elsewhere on the stack. It is one frame whatever the place:
 * frames are in the traces of exceptions, which take longer with each. Only the interpreter keeps variables that nobody uses, so the virtual
 * machine is told to compile none of these methods.
 */
abstract class StackPlace {
    /** Places in a page. */
    private static final int COUNT = 16;
    /** From one place to the next, so that a few lie all over the page. */
    private static final int STEP = 7;
    private static final int WORDS = 4096 / 8 / COUNT;
    private static final String SUFFIX = "TarePlace";
    private static final String NAME = "tare/child/StackPlace";
    private static final String MEASUREMENT = "tare/child/Measurement";
    private static final StackPlace[] MADE = new StackPlace[COUNT];

    abstract void run(Measurement measurement, long lead);

    /** The place of a launch, or the one after that of the request before. */
    static int after(long place) {
        return (int) Long.remainderUnsigned(place + STEP, COUNT);
    }

    /** Makes all of them: what writes a class would else be compiled between visits. */
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
