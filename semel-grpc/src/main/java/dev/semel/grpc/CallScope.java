package dev.semel.grpc;

import dev.semel.Scope;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.util.Iterator;
import java.util.Optional;

/**
 * A way to find whom the key of a call belongs to. It is asked when a call starts, in the {@link Context} that outer
 * interceptors have made, so that those which authenticate come first.
 */
@FunctionalInterface
public interface CallScope {

    /**
     * Finds the owner; empty refuses the call.
     *
     * @throws IllegalArgumentException when what names the owner cannot be a scope: the call is refused
     */
    Optional<Scope> of(ServerCall<?, ?> call, Metadata headers);

    /** One owner of all keys, for services with one client. */
    static CallScope fixed(Scope scope) {
        return (call, headers) -> Optional.of(scope);
    }

    /** The owner that an authenticating interceptor has put into the context. */
    static CallScope fromContext(Context.Key<String> owner) {
        return (call, headers) -> Optional.ofNullable(owner.get()).map(Scope::of);
    }

    /** The owner that the client names itself: only where something in front of the service has checked it. */
    static CallScope fromMetadata(Metadata.Key<String> owner) {
        return (call, headers) -> {
            Iterable<String> named = headers.getAll(owner);
            if (named == null) {
                return Optional.empty();
            }
            Iterator<String> names = named.iterator();
            String name = names.next();
            if (names.hasNext()) {
                throw new IllegalArgumentException("the metadata " + owner.name() + " names more than one owner");
            }
            return Optional.of(Scope.of(name));
        };
    }
}
