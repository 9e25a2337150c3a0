package dev.semel.client;

/** A journaled intent that cannot be sent safely. Nothing was sent; the journal is as it was. */
public final class IntentRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why an intent is refused. */
    public enum Reason {
        /** Its name is on record for another request, or with another key: two intents share a name. */
        ANOTHER_REQUEST,
        /** Its key is so old that the server may have forgotten it, and would execute the request again. */
        KEY_TOO_OLD
    }

    private final Reason reason;

    IntentRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
