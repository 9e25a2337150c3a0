package dev.semel.spi;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.reconcile.Holder;
import java.time.Duration;

/**
 * The request for the right to execute.
 *
 * @param holder unique to this request; a claim that is repeated because its answer was lost carries the same holder,
 *     and gets the same lease again instead of finding itself in its own way; {@link Holder} says what is in it
 */
public record ClaimRequest(
        Identity identity,
        String operation,
        Fingerprint fingerprint,
        Duration lease,
        boolean reexecutable,
        String holder) {

    public ClaimRequest withFingerprint(Fingerprint other) {
        return new ClaimRequest(identity, operation, other, lease, reexecutable, holder);
    }
}
