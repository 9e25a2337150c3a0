package dev.semel.messaging;

import dev.semel.Outcome;
import dev.semel.Response;
import java.nio.charset.StandardCharsets;

/** What is on record of a message that is done with: one letter, and the reason if it was given up. */
final class HandledRecord {

    private static final byte HANDLED = 'H';
    private static final byte DEAD = 'D';

    /** What a handler in a transaction leaves on record. */
    static final String HANDLED_TEXT = "H";

    /** The reason is for people; what does not fit is not worth keeping. */
    private static final int LONGEST_REASON = 500;

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

    /** What becomes of another delivery of the message. One that was given up may not have reached its place yet. */
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
        return reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
    }
}
