package dev.semel.spring;

import java.util.Collection;
import java.util.TreeSet;

/** Thrown for properties of an operation that nothing in the application refers to, which is mostly a misspelt name. */
final class UnusedOperationException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String action;

    /** @param existing the names that the application refers to */
    UnusedOperationException(String name, Collection<String> existing) {
        super("semel.operations." + name + " is the policy of an operation that nothing refers to: it has no match, and"
                + " there is no @Idempotent, no @ResolvesOutcomesOf and no call of Operations.named for it."
                + nearest(name, existing));
        this.action = "Correct the name, or remove the properties. Where only code refers to the operation, call"
                + " Operations.named in a constructor. Where the code runs later, or is not always present, set"
                + " semel.operations." + name + ".may-be-unused=true.\n\nThe application refers to: "
                + (existing.isEmpty() ? "no operation" : String.join(", ", new TreeSet<>(existing)));
    }

    private static String nearest(String name, Collection<String> existing) {
        return NearestName.to(name, existing)
                .map(nearest -> " The nearest existing name is " + nearest + ".")
                .orElse("");
    }

    String action() {
        return action;
    }
}
