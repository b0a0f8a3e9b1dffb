package tare;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method of a state that returns, after the set-up, the amount processed per call. It is shown per second under this name. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rate {
    /** The name, such as {@code bytes}, {@code items} or {@code rows}. */
    String value();
}
