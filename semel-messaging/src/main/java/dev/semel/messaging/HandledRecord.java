package dev.semel.messaging;

import dev.semel.Outcome;
import dev.semel.Response;
import java.nio.charset.StandardCharsets;

/** The recorded response of a message: one byte that says whether it was handled or is a dead letter, and the reason then. */
final class HandledRecord {

    private static final byte HANDLED = 'H';
    private static final byte DEAD = 'D';

    /** The recorded response of a handler in a transaction. */
    static final String HANDLED_TEXT = "H";

    /** The reason is for operators; a longer one is cut off. */
    private static final int MAX_REASON_LENGTH = 500;

    private HandledRecord() {}

    static Outcome handled() {
        return new Outcome.Completed(response());
    }

    static Response response() {
        return Response.of(new byte[] {HANDLED});
    }

    static Outcome dead(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[1 + text.length];
        bytes[0] = DEAD;
        System.arraycopy(text, 0, bytes, 1, text.length);
        return new Outcome.Completed(Response.of(bytes));
    }

    /**
     * What the broker has to do with another delivery of the message. A dead letter is one again: it may not have reached the
     * dead-letter queue yet.
     */
    static Delivery duplicate(Response response) {
        byte[] bytes = response.bytes();
        if (bytes.length > 0 && bytes[0] == HANDLED) {
            return new Delivery.Acknowledge(true);
        }
        if (bytes.length > 0 && bytes[0] == DEAD) {
            return new Delivery.DeadLetter(new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8));
        }
        return new Delivery.DeadLetter("not_the_record_of_a_message");
    }

    static String reasonOf(Throwable failure) {
        String reason = failure.getClass().getSimpleName() + ": " + failure.getMessage();
        return reason.length() > MAX_REASON_LENGTH ? reason.substring(0, MAX_REASON_LENGTH) : reason;
    }
}
