package dev.semel.http;

/** A response that the protocol itself gives, without a handler. */
public record Answer(int status, Headers headers, Body body) {

    /** Marks a response that was recorded before. */
    public static final String REPLAYED = "Idempotency-Replayed";

    /** Says {@code false} on a response that was executed without protection. */
    public static final String PROTECTED = "Idempotency-Protected";

    Answer with(String name, String value) {
        return new Answer(status, headers.with(name, value), body);
    }

    Answer replacing(String name, String value) {
        return new Answer(status, headers.without(name).with(name, value), body);
    }

    @Override
    public String toString() {
        return "answer " + status + " of " + body;
    }
}
