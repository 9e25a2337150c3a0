package dev.semel.client;

/** The refusal of a journaled intent that cannot be sent safely. Nothing was sent, and the journal is unchanged. */
public final class IntentRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why an intent is refused. */
    public enum Reason {
        /** The journal has its name with another request or key: two intents have the same name. */
        ANOTHER_REQUEST,
        /** Its key is so old that the server may have deleted it, and would execute the request again. */
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
