package dev.semel.spring;

import java.util.Optional;

/** The owners that these scopes name; calls without one share {@link dev.semel.Scope#ANONYMOUS}. */
record OrAnonymous(MethodScopes named) implements MethodScopes {

    @Override
    public Optional<String> current() {
        return named.current();
    }
}
