package tare;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares the values of a field. The benchmark is measured with each value, and with each combination of several fields. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Param {
    /** The values as text; if empty, all values of an enum or a boolean. */
    String[] value() default {};
}
