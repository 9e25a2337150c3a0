package dev.semel.adapter;

import dev.semel.Refusal;
import dev.semel.Response;
import java.time.Duration;

/** The answer to the request for the right to execute. */
public sealed interface Claim {

    /** The right was granted: the caller must execute and settle, or let the lease expire. */
    record Granted(RunningAttempt attempt) implements Claim {}

    /**
     * An earlier attempt has completed.
     *
     * @param failure whether the response describes an exception that {@link dev.semel.Semel#execute} recorded, not a value
     */
    record Recorded(Response response, boolean failure, Recording recording) implements Claim {}

    /** The right was refused, and no response is on record. */
    record Refused(Refusal why) implements Claim {}

    /**
     * The record behind a replay, without its response.
     *
     * @param operation the name of the operation under which the record was made
     * @param fence of the attempt that completed, or whose outcome was found
     * @param age how long ago the record was completed, by the store's clock
     * @param keptFor what is left of its retention, by the store's clock; a near-cache says up to a millisecond less
     */
    record Recording(String operation, long fence, Duration age, Duration keptFor) {}
}
