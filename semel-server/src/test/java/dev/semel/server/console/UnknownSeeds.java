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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Writes twenty unknown outcomes of five kinds into a store, for a person who tries the console: {@code main STORE-URI
 * SEED FILE} writes what is right for each key into a file, which the person reads afterwards. What the resolvers said tells
 * what became of each: it happened, it did not happen, or neither can be said yet and the resolver has to look again.
 */
final class UnknownSeeds {

    private static final Duration RETENTION = Duration.ofDays(7);
    private static final Duration HOLD = Duration.ofMinutes(5);

    private final Store store;
    private int claims;

    UnknownSeeds(Store store) {
        this.store = store;
    }

    public static void main(String... arguments) throws IOException {
        try (Store store = Stores.open(arguments[0])) {
            Map<String, String> right = new UnknownSeeds(store).shuffled(Long.parseLong(arguments[1]));
            Files.write(
                    Path.of(arguments[2]),
                    right.entrySet().stream()
                            .map(each -> each.getKey() + " " + each.getValue())
                            .toList());
        }
    }

    /** Twenty in a random order under keys that say nothing; returns what is right for each key. */
    Map<String, String> shuffled(long seed) {
        Random random = new Random(seed);
        List<Integer> kinds = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            kinds.add(i % 5);
        }
        Collections.shuffle(kinds, random);
        Map<String, String> right = new LinkedHashMap<>();
        for (int kind : kinds) {
            String key = "order-" + (100_000 + random.nextInt(900_000));
            right.put(key, told(key, kind, random.nextBoolean()));
        }
        return right;
    }

    private String told(String key, int kind, boolean happened) {
        String number = key.substring(key.length() - 4);
        switch (kind) {
            case 0 -> {
                Lease lease = unknown(key, "create-payment", "timeout");
                look(
                        lease,
                        "create-payment",
                        happened
                                ? "charge ch_" + number
                                        + " with this key succeeded; its receipt could not be fetched (500)"
                                : "no charge: the provider answered this key with a final refusal, card_declined");
                return "happened";
            }
            case 1 -> {
                Lease lease = unknown(key, "send-mail", "connection_lost");
                look(
                        lease,
                        "send-mail",
                        happened
                                ? "message " + number
                                        + " with this key was delivered, to an address that has since changed"
                                : "rejected before it was queued: sender over quota; no message with this key");
            }
            case 2 -> {
                Lease lease = claim(key, "book-trip", Duration.ofMinutes(1));
                store.blocking().step(lease, "reserve-seat", Response.of("seat 12A".getBytes(StandardCharsets.UTF_8)));
                store.blocking().settle(lease, new Outcome.Unknown("step_not_recorded"), RETENTION);
                look(
                        lease,
                        "book-trip",
                        happened
                                ? "ticket T" + number + " was issued for this key"
                                : "the reservation lapsed; no ticket was issued for this key, and none can be any more");
            }
            case 3 -> {
                lostAnswer(key);
                return "look again";
            }
            default -> {
                deadLetter(key);
                return "look again";
            }
        }
        return happened ? "happened" : "did not happen";
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
        store.blocking().settle(lease, new Outcome.Unknown("step_not_recorded"), RETENTION);
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
