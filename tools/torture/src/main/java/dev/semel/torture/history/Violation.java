package dev.semel.torture.history;

import dev.semel.Identity;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One broken promise.
 *
 * @param invariant its number, such as {@code I1}
 * @param identity the key that it was broken for
 * @param what happened, in a sentence
 * @param history everything that is known about the key, in order
 */
public record Violation(String invariant, Identity identity, String what, List<String> history) {

    public Violation {
        history = List.copyOf(history);
    }

    /** The sentence alone. */
    public String headline() {
        return invariant + " broken for scope " + identity.scope().value() + " key "
                + identity.key().value() + ": " + what;
    }

    @Override
    public String toString() {
        return headline() + history.stream().map(line -> "\n    " + line).collect(Collectors.joining());
    }
}
