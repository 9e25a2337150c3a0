package dev.semel.torture.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection to PostgreSQL, held back answer by answer while one is to be lost.
 *
 * <p>Each answer ends with a message that has the state of the transaction in its last byte: the one to lose is the next
 * after which there is none. Greetings are no answers, and the first of them does not end like one: to hold it back
 * would keep a connecting client waiting for ever.
 */
final class PostgresConversation implements Conversation {

    private static final byte[] READY_FOR_QUERY = {'Z', 0, 0, 0, 5};
    private static final byte IDLE = 'I';

    private final AtomicBoolean loseNextAnswer;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean greeted;

    PostgresConversation(AtomicBoolean loseNextAnswer) {
        this.loseNextAnswer = loseNextAnswer;
    }

    @Override
    public void asked(byte[] bytes) {
        // The answers say it all.
    }

    @Override
    public byte[] answered(byte[] bytes) throws IOException {
        if (!greeted || (!loseNextAnswer.get() && held.size() == 0)) {
            greeted |= isWhole(bytes);
            return bytes;
        }
        held.writeBytes(bytes);
        byte[] answer = held.toByteArray();
        if (!isWhole(answer)) {
            return new byte[0];
        }
        held.reset();
        if (answer[answer.length - 1] == IDLE && loseNextAnswer.compareAndSet(true, false)) {
            throw Conversation.lost();
        }
        return answer;
    }

    private static boolean isWhole(byte[] answer) {
        int start = answer.length - READY_FOR_QUERY.length - 1;
        return start >= 0
                && Arrays.equals(
                        answer, start, start + READY_FOR_QUERY.length, READY_FOR_QUERY, 0, READY_FOR_QUERY.length);
    }
}
