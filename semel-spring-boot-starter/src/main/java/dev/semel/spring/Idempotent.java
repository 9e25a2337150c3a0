package dev.semel.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method safe to repeat: for one key it runs at most once, and later calls get the result of the first.
 *
 * <p><b>On a method of any bean</b> the key is an expression on its arguments:
 *
 * <pre>{@code
 * @Idempotent(operation = "ship-order", key = "#command.id")
 * public Shipment ship(ShipOrder command) { … }
 * }</pre>
 *
 * <ol>
 *   <li>The result is recorded as JSON and read back as the declared type; {@code void} is recorded as nothing. The result of
 *       a {@link java.util.concurrent.CompletionStage} is recorded when it completes. Such a method is called on a thread of
 *       the engine, as soon as its claim is granted: it must not block, and has no thread-locals of the caller.
 *   <li>Where there is no result (another call with this key is running, the key was used with other arguments, or the
 *       outcome is unknown) a {@link dev.semel.RefusedException} is thrown; where an exception was recorded, a
 *       {@link dev.semel.RecordedFailureException}.
 *   <li>With {@code @Transactional}, the record commits together with what the method writes, or not at all.
 *   <li>Like every advice, it takes effect when the method is called from another bean.
 * </ol>
 *
 * <p><b>On a controller method</b> it names the operation of its requests: the key is that of the request, and the filter
 * answers a repetition, byte for byte, without calling the method.
 *
 * <p>The operation's policy is {@code semel.operations.NAME}, where there is one.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Idempotent {

    /**
     * The operation's name; by default that of the class and the method, such as {@code orders.place-order}, whose properties
     * are {@code semel.operations[orders.place-order]}.
     */
    String operation() default "";

    /** An expression for the key, such as {@code #command.id}; its value is text, a number, a UUID or an enum constant. */
    String key() default "";

    /** An expression for what must be the same in every call with the same key; by default all arguments. */
    String payload() default "";

    /** An expression for the owner of the key; by default the authenticated user, or one shared owner where there are none. */
    String scope() default "";
}
