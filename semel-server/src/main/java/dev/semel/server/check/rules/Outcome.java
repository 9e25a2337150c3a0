package dev.semel.server.check.rules;

/** What a rule found. */
public sealed interface Outcome {

    /** What was seen, in one or two sentences. */
    String detail();

    /**
     * The rule holds in what was tried.
     *
     * @param answersOnly whether effects were not counted
     */
    record Holds(String detail, boolean answersOnly) implements Outcome {}

    /** The rule is broken, and the steps show it. */
    record Broken(String detail, Reproduction reproduction) implements Outcome {}

    /** What was seen allows neither. */
    record CouldNotTell(String detail) implements Outcome {}

    /** The rule was not tried; the detail says what would allow it. */
    record Skipped(String detail) implements Outcome {}

    static Holds holds(String detail) {
        return new Holds(detail, false);
    }

    /** One word, the same in all reports. */
    default String word() {
        if (this instanceof Holds) {
            return "holds";
        }
        if (this instanceof Broken) {
            return "broken";
        }
        return this instanceof CouldNotTell ? "could not tell" : "not tried";
    }
}
