package dev.semel.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * What is explored, and which rules count.
 *
 * @param reexecutable whether the operation is declared so
 * @param deduplicating whether the provider recognizes the key of an earlier attempt
 */
record Setup(Set<Flaw> flaws, boolean reexecutable, boolean deduplicating, int reconcilers, Set<Rule> rules) {

    /** As it is built, with a provider that does not recognize repetitions. */
    static final Setup AS_BUILT = new Setup(EnumSet.noneOf(Flaw.class), false, false, 2, EnumSet.allOf(Rule.class));

    Setup flawedBy(Flaw flaw) {
        return new Setup(EnumSet.of(flaw), reexecutable, deduplicating, reconcilers, rules);
    }

    Setup asReexecutable(boolean withDeduplication) {
        return new Setup(flaws, true, withDeduplication, reconcilers, rules);
    }

    Setup withOneReconciler() {
        return new Setup(flaws, reexecutable, deduplicating, 1, rules);
    }

    /** Looks for one thing only, past other rules that a flaw breaks on the way. */
    Setup lookingFor(Rule rule) {
        return new Setup(flaws, reexecutable, deduplicating, reconcilers, EnumSet.of(rule));
    }

    boolean has(Flaw flaw) {
        return flaws.contains(flaw);
    }

    @Override
    public String toString() {
        String what = flaws.isEmpty() ? "as built" : flaws.toString();
        String operation = reexecutable ? ", re-executable" : "";
        String provider = deduplicating ? ", deduplicating provider" : "";
        return what + operation + provider + ", reconcilers: " + reconcilers + ", looking for "
                + rules.stream().map(Rule::name).toList();
    }
}
