package dev.semel;

import java.util.Comparator;

/** What identifies a record: a key within its scope. There is no lookup by key alone. */
public record Identity(Scope scope, Key key) implements Comparable<Identity> {

    private static final Comparator<Identity> ORDER =
            Comparator.comparing((Identity id) -> id.scope.value()).thenComparing(id -> id.key.value());

    public static Identity of(String scope, String key) {
        return new Identity(new Scope(scope), new Key(key));
    }

    @Override
    public int compareTo(Identity other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return scope + " " + key;
    }
}
