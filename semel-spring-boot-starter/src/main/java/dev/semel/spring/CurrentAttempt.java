package dev.semel.spring;

import dev.semel.Attempt;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attempt that an {@link Idempotent} method of a bean runs in, for code that derives keys for other services, records
 * steps, or declares its outcome. Inject it where it is needed.
 *
 * <p>It belongs to the thread that runs the method. A controller takes an {@link Attempt} as an argument instead.
 */
public final class CurrentAttempt {

    /** Not static: applications in one virtual machine have one each. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Attempt> attempts = new ThreadLocal<>();

    CurrentAttempt() {}

    /** The innermost attempt on this thread. */
    public Optional<Attempt> get() {
        return Optional.ofNullable(attempts.get());
    }

    /** Code that runs in an attempt. */
    @FunctionalInterface
    interface Body<T extends @Nullable Object> {
        T run() throws Exception;
    }

    <T extends @Nullable Object> T during(Attempt attempt, Body<T> body) throws Exception {
        Attempt outer = attempts.get();
        attempts.set(attempt);
        try {
            return body.run();
        } finally {
            if (outer == null) {
                attempts.remove();
            } else {
                attempts.set(outer);
            }
        }
    }
}
