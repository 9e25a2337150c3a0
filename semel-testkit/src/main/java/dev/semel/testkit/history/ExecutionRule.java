package dev.semel.testkit.history;

import dev.semel.State;
import dev.semel.testkit.history.AuditEvent.Changed;
import dev.semel.testkit.history.LedgerEvent.Arrived;
import dev.semel.testkit.history.LedgerEvent.Charged;
import dev.semel.testkit.history.LedgerEvent.OfRequest;
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
    public void check(KeyHistory key, Findings findings) {
        Attempts attempts = new Attempts(key.changes());
        key.requests().filter(Arrived.class::isInstance).forEach(arrived -> {
            if (attempts.generation(arrived.request().fence()).isEmpty()) {
                findings.add(
                        "I12", key, "the provider was sent " + name(arrived) + ", which no claim had been granted for");
            }
        });
        countCharges(key, attempts, findings);
        for (Changed change : key.changes()) {
            if (change.to().state() == State.FAILED_RETRYABLE) {
                checkProof(key, change, findings);
            }
        }
    }

    private static void countCharges(KeyHistory key, Attempts attempts, Findings findings) {
        Map<Integer, List<Charged>> byGeneration = new TreeMap<>();
        for (Charged charge : key.charges()) {
            // What nobody was granted counts against the first.
            int generation = attempts.generation(charge.request().fence()).orElse(1);
            byGeneration.computeIfAbsent(generation, g -> new ArrayList<>()).add(charge);
        }
        for (List<Charged> charges : byGeneration.values()) {
            if (charges.size() > 1) {
                String all = charges.stream().map(ExecutionRule::name).collect(Collectors.joining(", "));
                findings.add("I1", key, "charged " + charges.size() + " times: " + all);
            }
        }
    }

    private static void checkProof(KeyHistory key, Changed change, Findings findings) {
        for (Charged charge : key.charges()) {
            if (charge.request().fence() == change.to().fence()) {
                findings.add(
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
