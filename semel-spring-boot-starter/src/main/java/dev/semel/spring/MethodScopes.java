package dev.semel.spring;

import java.util.Optional;

/**
 * Whom the keys of {@link Idempotent} methods belong to that do not say so themselves; a bean of this type replaces the
 * default, which is the authenticated user.
 */
@FunctionalInterface
public interface MethodScopes {

    /** The owner of a key that is used now, on this thread; empty when nobody is known. */
    Optional<String> current();
}
