package dev.semel.reconcile;

import dev.semel.Codec;
import dev.semel.Identity;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt that may or may not have had its effect, as a resolver sees it. */
public interface UnknownOutcome {

    Identity identity();

    /** The operation's name. */
    String operation();

    /** The fence of the attempt: what is found out settles this attempt and no other. */
    long fence();

    /** A short code: why the outcome is unknown. */
    @Nullable
    String reason();

    /** How long the outcome had been unknown when this question was taken up, by the store's clock. */
    Duration age();

    /** How often a reconciler has taken this record, this time included. */
    int tries();

    /** The key that every attempt sent for this purpose: what the provider knows the request by. */
    String downstreamKey(String purpose);

    /** The result of a step that was recorded, decoded; empty when it was not. The first that was not is in doubt. */
    <T> Optional<T> recordedStep(String name, Codec<T> codec);
}
