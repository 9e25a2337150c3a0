package dev.semel.http.key;

import dev.semel.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to find the owner of a request's or message's key.
 *
 * <p>A request without an owner is {@link ScopeResult.Missing}: there is no empty scope, and callers share a scope only where
 * the application chose {@link #fixed(Scope)}. Any lambda can be a strategy.
 */
@FunctionalInterface
public interface ScopeStrategy {

    ScopeResult resolve(KeyInput input);

    /** One scope for everything, for a service whose keys all belong to one owner. */
    static ScopeStrategy fixed(Scope scope) {
        return input -> new ScopeResult.Found(scope);
    }

    /** The authenticated user. */
    static ScopeStrategy fromPrincipal() {
        return input -> named(input.user(), "an authenticated user");
    }

    /**
     * The value of a header, such as a tenant's.
     *
     * <p>Only a header that the client cannot choose, because a gateway sets it or authentication confirms it, keeps
     * tenants apart.
     */
    static ScopeStrategy fromHeader(String name) {
        HeaderName.required(name);
        return input -> {
            List<String> values = input.header(name);
            if (values.size() > 1) {
                return new ScopeResult.Invalid(
                        "the header " + name + " was sent " + values.size() + " times; send it once");
            }
            return named(values.isEmpty() ? null : values.get(0), "the header " + name);
        };
    }

    /** The name of the route or operation, so that each has keys of its own. */
    static ScopeStrategy fromRoute() {
        return input -> named(input.route(), "a named route");
    }

    /**
     * All of these together, such as tenant and route; it is found when all of them are.
     *
     * <p>Parts never run together. A result longer than a scope may be is replaced by its hash.
     */
    static ScopeStrategy combine(ScopeStrategy first, ScopeStrategy second, ScopeStrategy... more) {
        List<ScopeStrategy> all = new ArrayList<>(List.of(first, second));
        all.addAll(List.of(more));
        return new CombinedScope(all);
    }

    private static ScopeResult named(@Nullable String owner, String what) {
        if (owner == null || owner.isBlank()) {
            return new ScopeResult.Missing(what);
        }
        try {
            return new ScopeResult.Found(Scope.of(owner));
        } catch (IllegalArgumentException e) {
            return new ScopeResult.Invalid(what + " cannot name an owner: " + e.getMessage());
        }
    }
}
