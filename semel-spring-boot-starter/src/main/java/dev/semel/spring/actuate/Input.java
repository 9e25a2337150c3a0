package dev.semel.spring.actuate;

import dev.semel.Identity;
import dev.semel.reconcile.Evidence;
import java.security.Principal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses the parameters of a request; errors say what would be right. */
final class Input {

    private Input() {}

    static String required(String name, @Nullable String value, String what) {
        if (value == null || value.isBlank()) {
            throw Refused.badInput(name + " is missing: give " + what);
        }
        return value;
    }

    static Identity identity(@Nullable String scope, @Nullable String key) {
        String owner = required("scope", scope, "the owner of the key, such as an account");
        String name = required("key", key, "the key as the client sent it");
        return identityOf(owner, name);
    }

    /** Where a page begins, or null for the first. */
    static @Nullable Identity after(@Nullable String scope, @Nullable String key) {
        if (scope == null && key == null) {
            return null;
        }
        if (scope == null || key == null) {
            throw Refused.badInput("afterScope and afterKey belong together: give both, or neither for the first page");
        }
        return identityOf(scope, key);
    }

    private static Identity identityOf(String scope, String key) {
        try {
            return Identity.of(scope, key);
        } catch (IllegalArgumentException e) {
            throw Refused.badInput(String.valueOf(e.getMessage()));
        }
    }

    static int number(String name, @Nullable String value, int least, int most, int otherwise) {
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException ignored) {
            // Refused below, like a number out of range.
        }
        throw Refused.badInput(name + " must be a whole number from " + least + " to " + most);
    }

    static @Nullable Boolean flag(String name, @Nullable String value) {
        if (value == null) {
            return null;
        }
        return switch (value.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Refused.badInput(name + " must be true or false; leave it out for both");
        };
    }

    /** The fence of the attempt, or null for the last one. */
    static @Nullable Long fence(@Nullable String value) {
        if (value == null) {
            return null;
        }
        try {
            return Long.valueOf(value.strip());
        } catch (NumberFormatException e) {
            throw Refused.badInput("fence must be a whole number: the one that the record shows");
        }
    }

    /**
     * The person who decides, and the evidence. An authenticated user decides in their own name.
     *
     * @param by the person, where no user is authenticated
     */
    static Evidence evidence(@Nullable String seen, @Nullable String by, @Nullable Principal principal) {
        String detail = required("evidence", seen, "what you saw, such as a ticket or the provider's charge id");
        String name;
        if (principal == null || principal.getName() == null) {
            name = required("by", by, "the name of the person who decides");
        } else {
            name = principal.getName();
            if (by != null && !by.equals(name)) {
                throw Refused.badInput("you are authenticated, and decide in your own name: leave by out");
            }
        }
        try {
            return new Evidence("person:" + name.strip(), detail.strip());
        } catch (IllegalArgumentException e) {
            throw Refused.badInput(String.valueOf(e.getMessage()));
        }
    }
}
