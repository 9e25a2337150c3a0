package dev.semel.torture.net;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection to MySQL or MariaDB. The answer to lose is the one to the next {@code COMMIT}: a client says it in a packet of
 * its own, and waits.
 */
final class MysqlConversation implements Conversation {

    /** Seven bytes, the first packet of its kind, a query. */
    private static final byte[] COMMIT = {7, 0, 0, 0, 3, 'C', 'O', 'M', 'M', 'I', 'T'};

    private final AtomicBoolean loseNextAnswer;
    private volatile boolean committing;

    MysqlConversation(AtomicBoolean loseNextAnswer) {
        this.loseNextAnswer = loseNextAnswer;
    }

    @Override
    public void asked(byte[] bytes) {
        if (Arrays.equals(bytes, COMMIT) && loseNextAnswer.compareAndSet(true, false)) {
            committing = true;
        }
    }

    @Override
    public byte[] answered(byte[] bytes) throws IOException {
        if (committing) {
            throw Conversation.lost();
        }
        return bytes;
    }
}
