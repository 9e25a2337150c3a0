package dev.semel.adapter;

import dev.semel.Refusal;
import dev.semel.Response;

/** The answer to the request for the right to execute. */
public sealed interface Claim {

    /** The right was granted: the caller must execute and settle, or let the lease expire. */
    record Granted(RunningAttempt attempt) implements Claim {}

    /**
     * An earlier attempt has completed.
     *
     * @param failure whether the response describes an exception that {@link dev.semel.Semel#execute} recorded, not a value
     */
    record Recorded(Response response, boolean failure) implements Claim {}

    /** The right was refused, and no response is on record. */
    record Refused(Refusal why) implements Claim {}
}
