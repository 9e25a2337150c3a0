package dev.semel;

import java.util.StringJoiner;

/**
 * Whom a key belongs to: a tenant, an account, a user, and where wanted the route.
 *
 * <p>Keys of different scopes never meet. A scope of several parts is built with {@link #of(String, String...)}, which
 * escapes the separator, so that {@code ("a/b", "c")} and {@code ("a", "b/c")} stay two scopes.
 *
 * <p>The name {@code anonymous} is reserved for {@link #ANONYMOUS}. An owner who is really called so gets the scope
 * {@code %61nonymous}, so that no name of an owner leads to the keys that callers without an owner share.
 *
 * @param value as it is stored; an owner's name becomes one by {@link #of}
 */
public record Scope(String value) {

    /** The scope of a service whose keys all belong to one owner. */
    public static final Scope GLOBAL = new Scope("global");

    private static final String RESERVED = "anonymous";

    /** The scope that callers without a known owner share, where an application lets them have keys. */
    public static final Scope ANONYMOUS = new Scope(RESERVED);

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
            return new Scope(escapedFirst(first));
        }
        StringJoiner joined = new StringJoiner("/");
        joined.add(escapedFirst(first));
        for (String part : more) {
            joined.add(escaped(part));
        }
        return new Scope(joined.toString());
    }

    /** The part of this scope that has this name, such as an operation's. */
    public Scope within(String part) {
        return new Scope(value + "/" + escaped(part));
    }

    private static String escapedFirst(String part) {
        return part.equals(RESERVED) ? "%61" + part.substring(1) : escaped(part);
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
