package tare;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A method of a state that says how many operations a call does. It is asked after the set-up or after each iteration. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Operations {
    /** `Trial`: the number is the same in all processes. `Iteration`: it differs from iteration to iteration. */
    Level value() default Level.Trial;
}
