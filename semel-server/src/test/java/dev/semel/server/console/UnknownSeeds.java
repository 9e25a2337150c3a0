package dev.semel.server.console;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Writes twenty unknown outcomes of five kinds into a store, for a person who tries the console: {@code main STORE-URI}. What
 * the resolvers said tells what became of each.
 */
final class UnknownSeeds {

    private static final Duration RETENTION = Duration.ofDays(7);
    private static final Duration HOLD = Duration.ofMinutes(5);

    private final Store store;
    private int claims;

    UnknownSeeds(Store store) {
        this.store = store;
    }

    public static void main(String... arguments) {
        try (Store store = Stores.open(arguments[0])) {
            new UnknownSeeds(store).twenty();
        }
    }

    void twenty() {
        for (int i = 1; i <= 4; i++) {
            lostAnswer("order-" + i);
            vanishedProcess("refund-" + i);
            brokenConnection("mail-" + i);
            stepInDoubt("trip-" + i);
            deadLetter("payout-" + i);
        }
    }

    /** The provider timed out; the resolver found the charge, but it is pending. */
    void lostAnswer(String key) {
        Lease lease = unknown(key, "create-payment", "timeout");
        look(lease, "create-payment", "charge ch_" + key + " is pending at the provider");
    }

    /** The process died with its lease; the sweeper noticed, and no resolver has looked yet. */
    void vanishedProcess(String key) {
        claim(key, "refund-payment", Duration.ofMillis(1));
        while (store.sweep(100).stream().noneMatch(swept -> isOf(swept, key))) {
            Thread.onSpinWait();
        }
    }

    /** The connection broke after the request was sent; the resolver finds nothing. */
    void brokenConnection(String key) {
        Lease lease = unknown(key, "send-mail", "connection_lost");
        look(lease, "send-mail", "not found: the mail service knows no such key");
        look(lease, "send-mail", "not found: the mail service knows no such key");
    }

    /** An attempt of several steps ended after the first. */
    void stepInDoubt(String key) {
        Lease lease = claim(key, "book-trip", Duration.ofMinutes(1));
        store.blocking().step(lease, "reserve-seat", Response.of("seat 12A".getBytes(StandardCharsets.UTF_8)));
        store.blocking().settle(lease, new Outcome.Unknown("step_in_doubt"), RETENTION);
        look(lease, "book-trip", "the airline answered 500");
    }

    /** The resolver gave up. */
    Lease deadLetter(String key) {
        Lease lease = unknown(key, "pay-out", "timeout");
        look(lease, "pay-out", "the bank answered 401: the look-up's password has expired");
        take("pay-out");
        store.reschedule(
                lease,
                new Reschedule.DeadLetter(2),
                evidence("pay-out", "the bank answered 401: the look-up's password has expired"));
        return lease;
    }

    /** An outcome under names of the caller's choice. */
    void named(String scope, String key, String operation) {
        Lease lease = claim(Identity.of(scope, key), operation, Duration.ofMinutes(1));
        store.blocking().settle(lease, new Outcome.Unknown("timeout"), RETENTION);
    }

    private Lease unknown(String key, String operation, String reason) {
        Lease lease = claim(key, operation, Duration.ofMinutes(1));
        store.blocking().settle(lease, new Outcome.Unknown(reason), RETENTION);
        return lease;
    }

    private Lease claim(String key, String operation, Duration lease) {
        return claim(Identity.of(PaymentService.SCOPE, key), operation, lease);
    }

    private Lease claim(Identity identity, String operation, Duration lease) {
        ClaimRequest request = new ClaimRequest(
                identity,
                operation,
                new Fingerprint("v1:0"),
                lease,
                false,
                Holder.text("worker-" + ++claims, "POST /" + operation));
        return ((ClaimAnswer.Granted) store.blocking().claim(request)).lease();
    }

    /** One look of a resolver that could not tell. The next is due at once. */
    private void look(Lease lease, String operation, String said) {
        List<StoredRecord> taken = take(operation);
        int tries = taken.stream()
                .filter(record -> record.lease().equals(lease))
                .map(StoredRecord::reconciling)
                .mapToInt(reconciling -> reconciling == null ? 0 : reconciling.tries())
                .findFirst()
                .orElseThrow();
        store.reschedule(lease, new Reschedule.RetryAfter(tries, Duration.ZERO), evidence(operation, said));
    }

    private List<StoredRecord> take(String operation) {
        return store.due(operation, 100, HOLD);
    }

    private static Evidence evidence(String operation, String said) {
        return new Evidence("resolver:" + operation, said);
    }

    private static boolean isOf(StoredRecord record, String key) {
        return record.identity().key().value().equals(key);
    }
}
