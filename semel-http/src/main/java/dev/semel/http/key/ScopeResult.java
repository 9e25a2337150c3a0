package dev.semel.http.key;

import dev.semel.Scope;

/** The scope of a request, or why there is none. The texts are fit for the client: they hold nothing of what it sent. */
public sealed interface ScopeResult {

    /** The request has a scope. */
    record Found(Scope scope) implements ScopeResult {}

    /**
     * The request names no owner, so its key must not be used.
     *
     * @param lookedFor what was looked for, such as {@code an authenticated user}
     */
    record Missing(String lookedFor) implements ScopeResult {}

    /**
     * The value that should name the owner is invalid.
     *
     * @param reason what is wrong, and what would be right
     */
    record Invalid(String reason) implements ScopeResult {}
}
