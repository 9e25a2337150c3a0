package dev.semel.spring;

import dev.semel.Intent;
import dev.semel.Intent.Guard;
import dev.semel.Intent.ReplayCheck;
import dev.semel.Key;
import dev.semel.Scope;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Makes the intent of a call of an {@link Idempotent} method: operation, key, owner and fingerprint of the arguments. */
final class MethodIntents {

    private final Operations operations;
    private final MethodScopes scopes;
    private final Fingerprinter fingerprinter;
    private final CallFormat format;
    private final @Nullable ReplayCheck check;

    /** @param check asked before a recorded result is returned; its request is the {@link MethodInvocation} */
    MethodIntents(
            Operations operations,
            MethodScopes scopes,
            Fingerprinter fingerprinter,
            CallFormat format,
            @Nullable ReplayCheck check) {
        this.operations = operations;
        this.scopes = scopes;
        this.fingerprinter = fingerprinter;
        this.format = format;
        this.check = check;
    }

    Intent of(IdempotentMethod method, MethodInvocation call) {
        Parts parts = format.parts(method, method.payload(call.getThis(), call.getArguments()));
        return Intent.of(
                        operations.known(method.operation()),
                        scope(method, call),
                        Key.of(method.key(call.getThis(), call.getArguments())),
                        fingerprinter.of(parts))
                .sameAs(stored -> fingerprinter.matches(stored, parts))
                .describedAs(IdempotentMethod.nameOf(method.method()))
                .guardedBy(
                        check == null
                                ? null
                                : new Guard(check, call, scopes.current().orElse(null)));
    }

    /** The scope includes the operation, since several operations may use the same key, such as an order's number. */
    private Scope scope(IdempotentMethod method, MethodInvocation call) {
        String given = method.scope(call.getThis(), call.getArguments());
        Optional<String> owner = given == null ? scopes.current() : Optional.of(given);
        if (owner.isPresent()) {
            return Scope.of(owner.get(), method.operation());
        }
        if (scopes instanceof AnonymousFallback) {
            return Scope.ANONYMOUS.within(method.operation());
        }
        throw new IllegalStateException("@Idempotent on " + IdempotentMethod.nameOf(method.method())
                + ": no user is authenticated, so its key has no owner; add scope = \"…\", or define a bean of type"
                + " MethodScopes");
    }
}
