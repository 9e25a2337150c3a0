package dev.semel.reconcile;

import org.jspecify.annotations.Nullable;

/**
 * The text that names who made a claim: a name that no other claim has, and behind a space, where the caller described it,
 * the request that it was made for.
 *
 * <p>Stores keep it as one text, in the record and in the entries of its history, so that operators see which request an
 * attempt belongs to and no store needs a place of its own for it.
 */
public final class Holder {

    private Holder() {}

    /** The text of a claim's holder. */
    public static String text(String name, @Nullable String request) {
        return request == null ? name : name + " " + request;
    }

    /** The name alone. */
    public static String nameIn(String holder) {
        int space = holder.indexOf(' ');
        return space < 0 ? holder : holder.substring(0, space);
    }

    /** What the caller said of the request; null when it said nothing. */
    public static @Nullable String requestIn(String holder) {
        int space = holder.indexOf(' ');
        return space < 0 ? null : holder.substring(space + 1);
    }
}
