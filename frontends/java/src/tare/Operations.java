package tare;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method of a state that returns the number of operations per call. It is called after the set-up or after each iteration. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Operations {
    /** {@code Trial} if the number is the same in all processes, {@code Iteration} if it varies between iterations. */
    Level value() default Level.Trial;
}
