package dev.semel.admin.access;

import dev.semel.reconcile.Evidence;
import java.text.Normalizer;
import java.util.Locale;

/**
 * The person behind a request.
 *
 * @param address where the request came from, as far as the transport knows
 */
public record Caller(String name, Role role, String address) {

    private static final String PERSON = "person:";
    private static final String FROM = " from ";

    /** Names go into the audit next to addresses. */
    private static final int LONGEST_NAME = 200;

    public Caller {
        if (name.isBlank() || name.length() > LONGEST_NAME || name.contains(FROM) || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "a caller's name has 1 to " + LONGEST_NAME + " characters, and not '" + FROM + "' in it");
        }
    }

    /** What this person does, and why, as the audit keeps it: who, from where, why. */
    public Evidence evidence(String reason) {
        return new Evidence(source(), reason);
    }

    /** How the audit names this person. */
    public String source() {
        return PERSON + name + FROM + address;
    }

    /**
     * Whether this may be the name of the same person: directories find one person by a name in any case, so that names which
     * differ in nothing else do not make two people.
     */
    public boolean isCalled(String other) {
        return plain(name).equals(plain(other));
    }

    private static String plain(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFKC)
                .strip()
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT);
    }

    /** The name in a source of the audit; a source that is no person is returned whole. */
    public static String nameIn(String source) {
        if (!source.startsWith(PERSON)) {
            return source;
        }
        int from = source.lastIndexOf(FROM);
        return source.substring(PERSON.length(), from < 0 ? source.length() : from);
    }
}
