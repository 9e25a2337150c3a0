package dev.semel.admin.access;

import java.util.Locale;

/** What a caller may do. Each role may do what those before it may. */
public enum Role {
    /** Sees records, without response bodies. */
    VIEWER,
    /** Sees response bodies, settles and requeues. */
    OPERATOR,
    /** Forgets and prunes. */
    ADMINISTRATOR;

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** The name in files, messages and JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The role with this label.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static Role ofLabel(String label) {
        for (Role role : values()) {
            if (role.label().equals(label)) {
                return role;
            }
        }
        throw new IllegalArgumentException(
                "the role '" + label + "' is not known; the roles are viewer, operator and administrator");
    }
}
