package dev.semel.spring;

import java.util.Optional;

/**
 * The owner of keys of {@link Idempotent} methods whose annotation names none; a bean of this type replaces the default,
 * which is the authenticated user.
 */
@FunctionalInterface
public interface MethodScopes {

    /** The owner of keys on the calling thread; empty for an anonymous caller. */
    Optional<String> current();
}
