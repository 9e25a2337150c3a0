package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.reconcile.StoredRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * What a script says about a record.
 *
 * @param code which answer it is, by the numbers of the script
 * @param now when it was given, by the server's clock
 * @param rest what follows, mostly the record
 */
record Reply(int code, Instant now, ByteBuffer rest) {

    /** The code of what failed, in every script on several records. */
    static final int FAILED = 0;

    private static final int PREAMBLE_BYTES = 1 + Long.BYTES;

    static Reply of(byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        return new Reply(all.get(), RecordFormat.instant(all.getLong()), all);
    }

    /** Whether there was anything to say. */
    static boolean isOne(byte[] bytes) {
        return bytes.length >= PREAMBLE_BYTES;
    }

    StoredRecord record(Identity identity) {
        return RecordFormat.read(identity, rest, now);
    }

    /** What follows, where that is a text. */
    String text() {
        return StandardCharsets.UTF_8.decode(rest).toString();
    }
}
