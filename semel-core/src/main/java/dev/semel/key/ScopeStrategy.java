package dev.semel.key;

import dev.semel.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to find whom the key of a request or message belongs to.
 *
 * <p>Where the owner is not known the answer says so; there is no empty scope and no scope that strangers share without
 * having been told to, by {@link #fixed(Scope)}. Any lambda can be a strategy.
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
            return values.size() > 1
                    ? new ScopeResult.Invalid("the header " + name + " was sent " + values.size() + " times; send it once")
                    : named(values.isEmpty() ? null : values.get(0), "the header " + name);
        };
    }

    /** The name of the route or operation, so that each has keys of its own. */
    static ScopeStrategy fromRoute() {
        return input -> named(input.route(), "a named route");
    }

    /** All of these together, such as tenant and route; it is found when all of them are. */
    static ScopeStrategy combine(ScopeStrategy first, ScopeStrategy second, ScopeStrategy... more) {
        List<ScopeStrategy> all = new ArrayList<>(List.of(first, second));
        all.addAll(List.of(more));
        List<ScopeStrategy> strategies = List.copyOf(all);
        return input -> {
            List<String> parts = new ArrayList<>();
            for (ScopeStrategy strategy : strategies) {
                ScopeResult result = strategy.resolve(input);
                if (!(result instanceof ScopeResult.Found found)) {
                    return result;
                }
                parts.add(found.scope().value());
            }
            return scopeOf(parts, "the scope");
        };
    }

    private static ScopeResult named(@Nullable String owner, String what) {
        return owner == null || owner.isBlank() ? new ScopeResult.Missing(what) : scopeOf(List.of(owner), what);
    }

    private static ScopeResult scopeOf(List<String> parts, String what) {
        String first = parts.get(0);
        String[] more = parts.subList(1, parts.size()).toArray(String[]::new);
        try {
            return new ScopeResult.Found(Scope.of(first, more));
        } catch (IllegalArgumentException e) {
            return new ScopeResult.Invalid(what + " cannot be used: " + e.getMessage());
        }
    }
}
