package dev.semel.engine;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The secret under which values are digested for explained mismatches: one that was given, or one that all engines on a store
 * share, as the response of a record in it.
 *
 * <ol>
 *   <li>An engine claims that record at its start. Where it is completed, its response is the secret.
 *   <li>Where the claim is granted, the engine writes random bytes, and claims again: whatever became of the settlement, the next
 *       claim tells what is on record. So of many engines that start at once all use the same secret, and one that dies on the way
 *       is taken over after its lease.
 *   <li>The response is sealed like every other one: where responses are encrypted, so is the secret.
 *   <li>Explanations are a courtesy: an engine that cannot read the secret starts without them, and says so.
 * </ol>
 */
final class ExplanationSecret {

    static final Identity IDENTITY = Identity.of("dev.semel", "explanation-secret");

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private static final String OPERATION = "dev.semel.explanation-secret";

    /** No digest is this short: no request can have this fingerprint, and get the secret as its replay. */
    private static final Fingerprint FINGERPRINT = new Fingerprint("v1:explain");

    /** As long as an HMAC-SHA256. */
    private static final int BYTES = 32;

    /** A hundred years: with another secret, older records are not explained. */
    private static final Duration RETENTION = Duration.ofDays(36_525);

    /** How long an engine that died while it wrote holds up the others. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** With their pauses, a few times as long as the lease of one that died. */
    private static final int MOST_TRIES = 1000;

    private final byte @Nullable [] given;

    private ExplanationSecret(byte @Nullable [] given) {
        this.given = given;
    }

    static ExplanationSecret inTheStore() {
        return new ExplanationSecret(null);
    }

    /**
     * A secret of the application's own.
     *
     * @throws IllegalArgumentException when it is too short
     */
    static ExplanationSecret given(byte[] secret) {
        if (secret.length < BYTES) {
            throw new IllegalArgumentException("the secret for explained mismatches has " + secret.length
                    + " bytes, at least " + BYTES + " are needed; `openssl rand -base64 32` makes a good one");
        }
        return new ExplanationSecret(secret.clone());
    }

    /**
     * Returns the secret; empty where the store has none that can be read.
     *
     * @throws StoreException when the store cannot be asked
     */
    Optional<byte[]> in(Store store, Timer timer, Envelope envelope) {
        if (given != null) {
            return Optional.of(given);
        }
        ClaimRequest request =
                new ClaimRequest(IDENTITY, OPERATION, FINGERPRINT, LEASE, true, new HolderNames().next());
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            ClaimAnswer answer = Faults.answered(() -> store.blocking().claim(request));
            if (answer instanceof ClaimAnswer.Recorded recorded) {
                return opened(recorded.record().response(), envelope);
            }
            if (answer instanceof ClaimAnswer.Granted granted) {
                byte[] random = new byte[BYTES];
                new SecureRandom().nextBytes(random);
                Outcome secret = new Outcome.Completed(envelope.seal(IDENTITY, Response.of(random), false));
                SettleAnswer unused =
                        Faults.answered(() -> store.blocking().settle(granted.lease(), secret, RETENTION));
            } else if (!(answer instanceof ClaimAnswer.Busy) || !paused(timer)) {
                return without("the record " + IDENTITY.scope().value() + "/"
                        + IDENTITY.key().value() + " in the store is not what Semel writes there: delete it");
            }
        }
        return without("another process has been about to write their secret for too long");
    }

    private static Optional<byte[]> opened(@Nullable Response sealed, Envelope envelope) {
        if (sealed == null) {
            return without("the record of their secret has no response: delete it");
        }
        try {
            return Optional.of(envelope.open(IDENTITY, sealed).response().bytes());
        } catch (StoreException unreadable) {
            return without("their secret in the store cannot be read: " + unreadable.getMessage());
        }
    }

    private static Optional<byte[]> without(String why) {
        LOG.log(System.Logger.Level.WARNING, "mismatches are not explained, because {0}", why);
        return Optional.empty();
    }

    private static boolean paused(Timer timer) {
        try {
            timer.pause(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while another process writes the secret for explained mismatches", e);
        }
    }
}
