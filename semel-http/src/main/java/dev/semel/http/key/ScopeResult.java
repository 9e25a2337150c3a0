package dev.semel.http.key;

import dev.semel.Scope;

/** What looking for a scope led to. The texts are fit for the client: they hold nothing of what it sent. */
public sealed interface ScopeResult {

    /** The scope is known. */
    record Found(Scope scope) implements ScopeResult {}

    /**
     * Nobody can be said to own the key, so it must not be used.
     *
     * @param lookedFor what was looked for, such as {@code an authenticated user}
     */
    record Missing(String lookedFor) implements ScopeResult {}

    /**
     * There is something in the owner's place that names no owner.
     *
     * @param reason what is wrong, and what would be right
     */
    record Invalid(String reason) implements ScopeResult {}
}
