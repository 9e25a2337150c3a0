package dev.semel.redis.tiered;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * The secret that all processes on one primary store share: the response of a record in that store.
 *
 * <p>A process that finds no such record claims it like any other, and completes it with random bytes. If several processes
 * start at once, one is granted the claim and the others wait; if that one crashes, its lease expires and another takes over.
 */
final class TierSecret {

    static final Identity IDENTITY = Identity.of("dev.semel.redis", "tiered-store-secret");

    static final String OPERATION = "dev.semel.redis.tiered-store-secret";

    /** Shorter than any digest, so that no request can have this fingerprint and get the secret as its response. */
    static final Fingerprint FINGERPRINT = new Fingerprint("v1:secret");

    /** The length of an HMAC-SHA256. */
    static final int BYTES = 32;

    /** A hundred years: a new secret makes every copy invalid. */
    private static final Duration RETENTION = Duration.ofDays(36_525);

    /** How long the other processes wait for one that crashed while it held the claim. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** With their pauses, a few times as long as the lease. */
    private static final int MAX_TRIES = 1000;

    private TierSecret() {}

    /**
     * Reads the record with the secret from the primary store, and creates it if it does not exist.
     *
     * @throws StoreException when the primary store cannot be reached, or the record is not a secret
     */
    static StoredRecord of(Store primary) {
        SecureRandom random = new SecureRandom();
        String holder = HexFormat.of().formatHex(bytes(random, 16));
        ClaimRequest request = new ClaimRequest(IDENTITY, OPERATION, FINGERPRINT, LEASE, true, holder);
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            ClaimAnswer answer = primary.blocking().claim(request);
            if (answer instanceof ClaimAnswer.Recorded recorded) {
                return checked(recorded.record());
            }
            if (answer instanceof ClaimAnswer.Granted granted) {
                complete(primary, granted.lease(), Response.of(bytes(random, BYTES)));
            } else if (answer instanceof ClaimAnswer.Busy) {
                pause();
            } else {
                throw new StoreException(
                        "the record of " + IDENTITY + " was not written by a tiered store: delete it, and start again");
            }
        }
        throw new StoreException("another process has claimed the record of " + IDENTITY
                + " but does not complete it: check the other processes on this store, and start again");
    }

    /** The answer does not matter: the next claim returns what is recorded. */
    private static void complete(Store primary, Lease lease, Response secret) {
        primary.blocking().settle(lease, new Outcome.Completed(secret), RETENTION);
    }

    private static byte[] bytes(SecureRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static StoredRecord checked(StoredRecord record) {
        if (record.response() == null || record.response().size() != BYTES) {
            throw new StoreException(
                    "the record of " + IDENTITY + " holds no secret of a tiered store: delete it, and start again");
        }
        return record;
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while another process creates the secret of this tiered store", e);
        }
    }
}
