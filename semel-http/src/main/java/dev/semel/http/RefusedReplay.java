package dev.semel.http;

/** What a caller gets who may not have what is on record; see {@link GateBuilder#replayCheck}. */
public enum RefusedReplay {
    /**
     * 403. The check is asked when a record is found, so that the answer tells a caller of the same scope that the key was used,
     * as 409 and 422 do.
     */
    FORBIDDEN,
    /**
     * 404. The check is asked before the store is, for first requests and retries alike, so that neither status, headers nor body
     * depend on what is on record; a caller that it refuses executes nothing. The status resource answers as for a key that was
     * never used.
     */
    NOT_FOUND
}
