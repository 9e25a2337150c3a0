package dev.semel;

import java.util.StringJoiner;

/**
 * Whom a key belongs to: a tenant, an account, a user, and where wanted the route.
 *
 * <p>Keys of different scopes never meet. A scope of several parts is built with {@link #of(String, String...)}, which
 * escapes the separator, so that {@code ("a/b", "c")} and {@code ("a", "b/c")} stay two scopes.
 */
public record Scope(String value) {

    /** The scope of a service whose keys all belong to one owner. */
    public static final Scope GLOBAL = new Scope("global");

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException when the value is empty, too long, or holds control characters
     */
    public Scope {
        String defect = Text.defectOf(value);
        if (!defect.isEmpty()) {
            throw new IllegalArgumentException("the scope " + defect);
        }
    }

    public static Scope of(String first, String... more) {
        if (more.length == 0) {
            return new Scope(escaped(first));
        }
        StringJoiner joined = new StringJoiner("/");
        joined.add(escaped(first));
        for (String part : more) {
            joined.add(escaped(part));
        }
        return new Scope(joined.toString());
    }

    private static String escaped(String part) {
        if (part.isEmpty()) {
            throw new IllegalArgumentException("a part of a scope is empty: name the owner, or leave the part out");
        }
        return part.replace("%", "%25").replace("/", "%2F");
    }

    @Override
    public String toString() {
        return value;
    }
}
