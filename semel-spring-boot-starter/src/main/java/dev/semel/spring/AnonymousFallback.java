package dev.semel.spring;

import java.util.Optional;

/** Marks that calls without an owner share {@link dev.semel.Scope#ANONYMOUS} instead of being refused. */
record AnonymousFallback(MethodScopes named) implements MethodScopes {

    @Override
    public Optional<String> current() {
        return named.current();
    }
}
