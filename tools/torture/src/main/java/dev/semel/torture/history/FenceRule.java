package dev.semel.torture.history;

import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Changed;
import dev.semel.torture.history.ClientEvent.Answered;
import dev.semel.torture.history.LedgerEvent.OfRequest;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** I2: fences rise from grant to grant, and only the holder of the last one writes. */
final class FenceRule implements Rule {

    private final Map<String, LedgerEvent.Request> requests;

    FenceRule(Map<String, LedgerEvent.Request> requests) {
        this.requests = requests;
    }

    @Override
    public void check(KeyHistory key, Violations violations) {
        Attempts attempts = new Attempts(key.changes());
        long last = Long.MIN_VALUE;
        for (Changed change : key.changes()) {
            long fence = change.to().fence();
            boolean grant = attempts.grants().contains(change);
            if (grant && fence <= last) {
                violations.add("I2", key, "fence " + fence + " was granted after fence " + last);
            }
            if (!grant && fence != last) {
                violations.add(
                        "I2",
                        key,
                        "fence " + fence + " wrote " + change.to().state() + " after fence " + last
                                + " had been granted");
            }
            last = grant ? fence : Math.max(last, fence);
        }
        checkResponses(key, violations);
    }

    /** A response carries the provider's name of a request, and that request the fence of the attempt that sent it. */
    private void checkResponses(KeyHistory key, Violations violations) {
        Set<Long> completed = key.changes().stream()
                .filter(change -> change.to().state() == State.COMPLETED)
                .map(change -> change.to().fence())
                .collect(Collectors.toSet());
        Set<Long> answering = key.answered()
                .filter(Answered::isOutcome)
                .flatMap(answer -> Receipt.parse(answer.body()).stream())
                .map(receipt -> requests.get(receipt.arrival()))
                .filter(request -> request != null && request.identity().equals(key.identity()))
                .map(LedgerEvent.Request::fence)
                .collect(Collectors.toSet());
        for (long fence : answering) {
            if (!completed.contains(fence)) {
                violations.add(
                        "I2",
                        key,
                        "clients got what fence " + fence + " had done, but the record was completed under "
                                + completed);
            }
        }
    }

    /** The requests of a ledger by the names that the provider gave them. */
    static Map<String, LedgerEvent.Request> byArrival(History history) {
        return history.ledger().stream()
                .filter(OfRequest.class::isInstance)
                .map(event -> ((OfRequest) event).request())
                .collect(Collectors.toMap(LedgerEvent.Request::arrival, request -> request, (one, same) -> one));
    }
}
