package dev.semel.torture.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/**
 * A connection to Redis. The answer to lose is the one to the next script on one record: such a script has three keys,
 * while those that go through many have two.
 *
 * <p>Commands follow each other without waiting for answers. What comes back first after the script was sent is lost together
 * with all that comes behind it, so the script's own answer always is.
 */
final class RedisConversation implements Conversation {

    private static final Pattern ON_ONE_RECORD = Pattern.compile("EVALSHA\r\n\\$40\r\n[0-9a-f]{40}\r\n\\$1\r\n3\r\n");

    private final AtomicBoolean loseNextAnswer;
    private volatile boolean losing;

    RedisConversation(AtomicBoolean loseNextAnswer) {
        this.loseNextAnswer = loseNextAnswer;
    }

    @Override
    public void asked(byte[] bytes) {
        if (loseNextAnswer.get()
                && ON_ONE_RECORD
                        .matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                        .find()
                && loseNextAnswer.compareAndSet(true, false)) {
            losing = true;
        }
    }

    @Override
    public byte[] answered(byte[] bytes) throws IOException {
        if (losing) {
            throw Conversation.lost();
        }
        return bytes;
    }
}
