package dev.semel.torture.history;

import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Changed;
import dev.semel.torture.history.LedgerEvent.Arrived;
import dev.semel.torture.history.LedgerEvent.Charged;
import dev.semel.torture.history.LedgerEvent.OfRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * I1: what was charged, was charged once, and what is on record as not executed never was. I12, first half: nothing is
 * sent without a grant.
 */
final class ExecutionRule implements Rule {

    @Override
    public void check(KeyHistory key, Violations violations) {
        Attempts attempts = new Attempts(key.changes());
        key.requests().filter(Arrived.class::isInstance).forEach(arrived -> {
            if (attempts.generation(arrived.request().fence()).isEmpty()) {
                violations.add(
                        "I12", key, "the provider was sent " + name(arrived) + ", which no claim had been granted for");
            }
        });
        countCharges(key, attempts, violations);
        for (Changed change : key.changes()) {
            if (change.to().state() == State.FAILED_RETRYABLE) {
                checkProof(key, change, violations);
            }
        }
    }

    private static void countCharges(KeyHistory key, Attempts attempts, Violations violations) {
        Map<Integer, List<Charged>> byGeneration = new TreeMap<>();
        for (Charged charge : key.charges()) {
            // A charge without a grant counts against the first generation.
            int generation = attempts.generation(charge.request().fence()).orElse(1);
            byGeneration.computeIfAbsent(generation, g -> new ArrayList<>()).add(charge);
        }
        for (List<Charged> charges : byGeneration.values()) {
            if (charges.size() > 1) {
                String all = charges.stream().map(ExecutionRule::name).collect(Collectors.joining(", "));
                violations.add("I1", key, "charged " + charges.size() + " times: " + all);
            }
        }
    }

    private static void checkProof(KeyHistory key, Changed change, Violations violations) {
        for (Charged charge : key.charges()) {
            if (charge.request().fence() == change.to().fence()) {
                violations.add(
                        change.from() == State.UNKNOWN ? "I6" : "I1",
                        key,
                        "fence " + change.to().fence() + " is on record as not executed (" + change.who() + ": "
                                + change.why() + "), but the ledger has " + name(charge));
            }
        }
    }

    private static String name(OfRequest event) {
        return event.request().arrival() + " (fence " + event.request().fence() + ")";
    }
}
