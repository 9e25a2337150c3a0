package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testkit.StoreHarness;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The words in which the contract is written: the verbs of the store under test, made blocking and short. */
public interface StoreVerbs {

    Duration LEASE = Duration.ofSeconds(30);
    Duration RETENTION = Duration.ofHours(24);
    Duration HOLD = Duration.ofMinutes(1);
    String OPERATION = "create-payment";
    Fingerprint FINGERPRINT = new Fingerprint("v1:meant");
    Fingerprint OTHER_FINGERPRINT = new Fingerprint("v1:meant-otherwise");
    Evidence EVIDENCE = new Evidence("provider", "charge ch_1");

    StoreHarness harness();

    default Store store() {
        return harness().store();
    }

    static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    static Identity id(String key) {
        return Identity.of("acme", key);
    }

    static ClaimRequest request(String key) {
        return request(id(key));
    }

    static ClaimRequest request(Identity identity) {
        return new ClaimRequest(
                identity,
                OPERATION,
                FINGERPRINT,
                LEASE,
                false,
                UUID.randomUUID().toString());
    }

    static ClaimRequest reexecutable(String key) {
        return new ClaimRequest(
                id(key), OPERATION, FINGERPRINT, LEASE, true, UUID.randomUUID().toString());
    }

    static Response response(String text) {
        return Response.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static Outcome completed(String text) {
        return new Outcome.Completed(response(text));
    }

    static Outcome notExecuted() {
        return new Outcome.NotExecuted("declined_before_dispatch");
    }

    static Outcome unknown() {
        return new Outcome.Unknown("timeout");
    }

    default ClaimAnswer claim(ClaimRequest request) {
        return await(store().claim(request));
    }

    default ClaimAnswer claim(String key) {
        return claim(request(key));
    }

    /** Claims and expects the grant. */
    default Lease granted(ClaimRequest request) {
        ClaimAnswer answer = claim(request);
        if (answer instanceof ClaimAnswer.Granted granted) {
            return granted.lease();
        }
        throw new AssertionError("expected the claim to be granted, but got " + answer);
    }

    default Lease granted(String key) {
        return granted(request(key));
    }

    default SettleAnswer settle(Lease lease, Outcome outcome) {
        return await(store().settle(lease, outcome, RETENTION));
    }

    default SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
        return await(store().settle(lease, outcome, retention));
    }

    default SettleAnswer reconcile(Lease lease, Outcome outcome) {
        return store().reconcile(lease, outcome, EVIDENCE, RETENTION);
    }

    default RenewAnswer renew(Lease lease) {
        return await(store().renew(lease, LEASE));
    }

    default StepAnswer step(Lease lease, String name, Response result) {
        return await(store().step(lease, name, result));
    }

    default List<StoredRecord> sweep(int limit) {
        return store().sweep(limit);
    }

    default List<StoredRecord> due(int limit) {
        return store().due(OPERATION, limit, HOLD);
    }

    default SettleAnswer reschedule(Lease lease, Reschedule reschedule) {
        return store().reschedule(lease, reschedule, EVIDENCE);
    }

    default List<AuditEntry> history(String key) {
        return store().history(id(key));
    }

    default int prune(int limit, Expiry expiry) {
        return store().prune(limit, expiry);
    }

    default Optional<StoredRecord> find(String key) {
        return await(store().find(id(key)));
    }

    /** Finds a record that must be there. */
    default StoredRecord record(String key) {
        return find(key).orElseThrow(() -> new AssertionError("there is no record"));
    }

    /** A record without the moment at which the store looked, so that two looks at one record compare. */
    static StoredRecord still(StoredRecord record) {
        StoredRecord.Times times = record.times();
        return new StoredRecord(
                record.identity(),
                record.operation(),
                record.fingerprint(),
                record.state(),
                record.fence(),
                record.attempts(),
                record.reexecutable(),
                record.holder(),
                new StoredRecord.Times(
                        Instant.EPOCH,
                        times.createdAt(),
                        times.updatedAt(),
                        times.claimedAt(),
                        times.doubtSince(),
                        times.lockedUntil(),
                        times.expiresAt()),
                record.response(),
                record.reason(),
                record.evidence(),
                record.steps(),
                record.reconciling());
    }

    /** Does this and expects that neither the record nor its history are any different afterwards. */
    default <T> T changingNothing(String key, Supplier<T> action) {
        Optional<StoredRecord> before = find(key).map(StoreVerbs::still);
        List<AuditEntry> historyBefore = history(key);
        T answer = action.get();
        assertThat(find(key).map(StoreVerbs::still)).as(key).isEqualTo(before);
        assertThat(history(key)).as(key).isEqualTo(historyBefore);
        return answer;
    }

    /** Lets every lease expire, by the store's clock. */
    default void expireLeases() {
        harness().elapse(LEASE.plusSeconds(1));
    }

    /** Lets retention pass, by the store's clock. */
    default void expireRetention() {
        harness().elapse(RETENTION.plusSeconds(1));
    }

    /** Brings a record into the state where the outcome of its attempt is unknown. */
    default Lease unknownLease(String key) {
        Lease lease = granted(key);
        settle(lease, unknown());
        return lease;
    }
}
