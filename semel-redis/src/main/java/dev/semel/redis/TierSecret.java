package dev.semel.redis;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * The secret that all processes on one truth share without being told: the recorded response of a record there.
 *
 * <p>Whoever finds no such record claims it like any other, and completes it with random bytes. So of many who start at once,
 * one chooses and the others wait for it; and where that one dies on the way, its lease ends and another takes over.
 */
final class TierSecret {

    static final Identity IDENTITY = Identity.of("dev.semel.redis", "tiered-store-secret");

    static final String OPERATION = "dev.semel.redis.tiered-store-secret";

    /** No digest is this short: no request can have this fingerprint, and be replayed the secret. */
    static final Fingerprint FINGERPRINT = new Fingerprint("v1:secret");

    /** As long as what it is the key of. */
    static final int BYTES = 32;

    /** For as long as anything runs: a new secret makes every copy worthless. */
    private static final Duration RETENTION = Duration.ofDays(36_525);

    /** How long a process that died while it chose holds up the others. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** With their pauses, a few times as long as the lease of one that died. */
    private static final int MOST_TRIES = 1000;

    private TierSecret() {}

    /**
     * The record with the secret, as the truth has it.
     *
     * @throws StoreException when the truth cannot be reached, or the record is not what it has to be
     */
    static StoredRecord of(Store truth) {
        SecureRandom random = new SecureRandom();
        String holder = HexFormat.of().formatHex(bytes(random, 16));
        ClaimRequest request = new ClaimRequest(IDENTITY, OPERATION, FINGERPRINT, LEASE, true, holder);
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            ClaimAnswer answer = truth.blocking().claim(request);
            if (answer instanceof ClaimAnswer.Recorded recorded) {
                return checked(recorded.record());
            }
            if (answer instanceof ClaimAnswer.Granted granted) {
                choose(truth, granted.lease(), Response.of(bytes(random, BYTES)));
            } else if (answer instanceof ClaimAnswer.Busy) {
                pause();
            } else {
                throw new StoreException("the record of " + IDENTITY + " is not that of a tiered store: delete it");
            }
        }
        throw new StoreException("somebody else has been choosing the secret of this tiered store for too long");
    }

    /** Whatever the answer is, the next claim tells what is on record. */
    private static void choose(Store truth, Lease lease, Response secret) {
        truth.blocking().settle(lease, new Outcome.Completed(secret), RETENTION);
    }

    private static byte[] bytes(SecureRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static StoredRecord checked(StoredRecord record) {
        if (record.response() == null || record.response().size() != BYTES) {
            throw new StoreException("the record of " + IDENTITY + " holds no secret of a tiered store: delete it");
        }
        return record;
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while another process chooses the secret of this tiered store", e);
        }
    }
}
