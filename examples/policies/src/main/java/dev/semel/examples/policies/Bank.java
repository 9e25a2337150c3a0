package dev.semel.examples.policies;

import dev.semel.examples.policies.Executions.Receipt;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** A bank that charges, loses its answer, and lists the charge a little later. */
@Component
class Bank {

    private static final Duration LISTED_AFTER = Duration.ofSeconds(3);

    private record Charge(Receipt receipt, long atNanos) {}

    private final Executions executions;
    private final Map<String, Charge> charges = new ConcurrentHashMap<>();

    Bank(Executions executions) {
        this.executions = executions;
    }

    void chargeAndLoseTheAnswer(String key) {
        charges.computeIfAbsent(key, unseen -> new Charge(executions.next(), System.nanoTime()));
    }

    Optional<Receipt> find(String key) {
        return Optional.ofNullable(charges.get(key))
                .filter(charge -> System.nanoTime() - charge.atNanos() > LISTED_AFTER.toNanos())
                .map(Charge::receipt);
    }
}
