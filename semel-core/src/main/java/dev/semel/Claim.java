package dev.semel;

/** The answer to the request for the right to execute. */
public sealed interface Claim permits Claim.Granted, Claim.Recorded, Refusal {

    /** The right was granted: the caller must execute and settle, or let the lease expire. */
    record Granted(RunningAttempt attempt) implements Claim {}

    /**
     * An earlier attempt has completed.
     *
     * @param failure whether the response describes an exception that {@link Semel#execute} recorded, not a value
     */
    record Recorded(Response response, boolean failure) implements Claim {}
}
