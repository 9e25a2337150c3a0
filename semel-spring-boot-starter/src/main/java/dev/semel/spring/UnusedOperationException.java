package dev.semel.spring;

import java.util.Collection;
import java.util.TreeSet;

/** Properties set the policy of an operation that nothing in the application refers to: mostly a misspelt name. */
final class UnusedOperationException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String action;

    /** @param existing the names that the application refers to */
    UnusedOperationException(String name, Collection<String> existing) {
        super("semel.operations." + name + " is the policy of an operation that nothing refers to: it has no match, and"
                + " there is no @Idempotent, no @ResolvesOutcomesOf and no call of Operations.named for it."
                + nearest(name, existing));
        this.action =
                "Correct the name, or remove the properties. Where only code refers to the operation, ask the bean"
                        + " Operations for it in a constructor. Where code asks later, or what refers to it is not always"
                        + " there, set semel.operations." + name + ".may-be-unused=true.\n\nThe application refers to: "
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
