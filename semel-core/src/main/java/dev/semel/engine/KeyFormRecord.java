package dev.semel.engine;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Set;

/**
 * The record of a store in which keys are hashed, which holds a check value of the secret. It keeps requests from being
 * executed again because their keys are stored in another form than before.
 *
 * <ol>
 *   <li>An engine with keys in the clear looks for it once, at its start, and is refused where it is there.
 *   <li>An engine with hashed keys claims it, at its start. Where it is completed, the check values must be equal.
 *   <li>Where the claim is granted, the store must hold no other record; then the check value is written. So of many engines
 *       that start at once one writes it, and the others compare; one that dies on the way is taken over after its lease.
 * </ol>
 */
final class KeyFormRecord {

    static final Identity IDENTITY = Identity.of("dev.semel", "hashed-keys");

    private static final String OPERATION = "dev.semel.hashed-keys";

    /** Records that are no requests: this one, and the secrets of explained mismatches and of a tiered store. */
    private static final Set<Identity> NO_REQUESTS =
            Set.of(IDENTITY, ExplanationSecret.IDENTITY, Identity.of("dev.semel.redis", "tiered-store-secret"));

    /** No digest is this short: no request can have this fingerprint. */
    private static final Fingerprint FINGERPRINT = new Fingerprint("v1:hashed");

    /** For as long as anything runs: without it, keys in the clear would be accepted. */
    private static final Duration RETENTION = Duration.ofDays(36_525);

    /** How long an engine that died while it wrote holds up the others. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** With their pauses, a few times as long as the lease of one that died. */
    private static final int MOST_TRIES = 1000;

    private static final String NO_RECORD_OF_OURS =
            "the record " + IDENTITY.scope().value() + "/" + IDENTITY.key().value()
                    + " in this store is not what Semel writes there: delete it";

    private KeyFormRecord() {}

    /**
     * Refuses to let an engine execute on a store whose keys have another form.
     *
     * @param holder a name that no other claim has
     * @throws StoreException when it is refused, or the store cannot be asked
     */
    static void require(Store store, KeyForm form, Timer timer, String holder) {
        if (form.isHashed()) {
            requireHashed(store, form, timer, holder);
        } else if (isHashed(store)) {
            throw new StoreException(
                    "the keys in this store are hashed. With keys in the clear, every request on record"
                            + " would be executed again. Give the secret of this store (SemelEngine.Builder.hashedKeys; with Spring Boot"
                            + " semel.keys=hashed and semel.keys-secret), or use another store");
        }
    }

    /**
     * Refuses a secret that is not that of this store.
     *
     * @throws StoreException when it is refused, or the store cannot be asked
     */
    static void requireSecret(Store store, KeyForm form) {
        StoredRecord record = Faults.answered(() -> store.blocking().find(IDENTITY))
                .filter(KeyFormRecord::isOurs)
                .orElseThrow(() -> new StoreException("the keys in this store are not hashed: leave the secret out"));
        if (record.state() == State.COMPLETED) {
            compare(record, form);
        }
    }

    /** Whether keys are hashed in this store, or an engine may be about to say so, however long that takes. */
    static boolean isHashed(Store store) {
        return Faults.answered(() -> store.blocking().find(IDENTITY))
                .filter(KeyFormRecord::isOurs)
                .filter(record -> record.state() != State.FAILED_RETRYABLE && record.state() != State.EXPIRED)
                .isPresent();
    }

    private static boolean isOurs(StoredRecord record) {
        return record.operation().equals(OPERATION) && record.fingerprint().equals(FINGERPRINT);
    }

    private static void requireHashed(Store store, KeyForm form, Timer timer, String holder) {
        ClaimRequest request = new ClaimRequest(IDENTITY, OPERATION, FINGERPRINT, LEASE, true, holder);
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            ClaimAnswer answer = Faults.answered(() -> store.blocking().claim(request));
            if (answer instanceof ClaimAnswer.Recorded recorded) {
                compare(recorded.record(), form);
                return;
            }
            if (answer instanceof ClaimAnswer.Granted granted) {
                write(store, granted.lease(), form);
            } else if (answer instanceof ClaimAnswer.Busy) {
                pause(timer);
            } else {
                throw new StoreException(NO_RECORD_OF_OURS);
            }
        }
        throw new StoreException("another process has been about to hash the keys in this store for too long");
    }

    /** Whatever the store answers to the settlement, the next claim tells what is on record. */
    private static void write(Store store, Lease lease, KeyForm form) {
        String refusal = refusal(store);
        if (!refusal.isEmpty()) {
            settle(store, lease, new Outcome.NotExecuted("keys_in_the_clear"), LEASE);
            throw new StoreException(refusal);
        }
        settle(store, lease, new Outcome.Completed(Response.of(form.check())), RETENTION);
    }

    private static void settle(Store store, Lease lease, Outcome outcome, Duration retention) {
        SettleAnswer unused = Faults.answered(() -> store.blocking().settle(lease, outcome, retention));
    }

    private static String refusal(Store store) {
        return NO_REQUESTS.containsAll(Faults.answered(() -> store.sample(NO_REQUESTS.size() + 1)))
                ? ""
                : "this store holds records whose keys are in the clear. With hashed keys, their requests would be executed"
                        + " again. Hash keys in a store that is empty";
    }

    private static void compare(StoredRecord record, KeyForm form) {
        if (!isOurs(record) || record.response() == null) {
            throw new StoreException(NO_RECORD_OF_OURS);
        }
        if (!MessageDigest.isEqual(record.response().bytes(), form.check())) {
            throw new StoreException(
                    "the keys in this store are hashed with another secret. With this one, every request on"
                            + " record would be executed again. Give the secret of this store, or use another store");
        }
    }

    private static void pause(Timer timer) {
        try {
            timer.pause(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while another process is about to hash the keys in this store", e);
        }
    }
}
