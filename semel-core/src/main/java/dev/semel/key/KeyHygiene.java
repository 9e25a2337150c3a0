package dev.semel.key;

/** What becomes of a key in which a {@link KeyFinding} is found, on one route or of one operation. */
public enum KeyHygiene {
    /** It is accepted, reported to listeners, and logged once in a while. */
    WARN,
    /** It is refused, and nothing is claimed or executed; reported to listeners, and logged once in a while. */
    REFUSE,
    /** Keys are not looked at. */
    IGNORE
}
