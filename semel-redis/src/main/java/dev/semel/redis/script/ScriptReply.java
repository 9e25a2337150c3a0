package dev.semel.redis.script;

import dev.semel.Identity;
import dev.semel.reconcile.StoredRecord;
import dev.semel.redis.record.RecordFormat;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * A script's reply about one record.
 *
 * @param code which reply it is, by the numbers in the script
 * @param now the server's time when the script ran
 * @param rest the remaining bytes: in most replies, the record
 */
public record ScriptReply(int code, Instant now, ByteBuffer rest) {

    /** The code for a failed call, in every script that takes several. */
    static final int FAILED = 0;

    private static final int PREAMBLE_BYTES = 1 + Long.BYTES;

    public static ScriptReply of(byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        return new ScriptReply(all.get(), RecordFormat.instant(all.getLong()), all);
    }

    /** Whether these bytes are a reply; a script that found no record returns fewer. */
    public static boolean isPresent(byte[] bytes) {
        return bytes.length >= PREAMBLE_BYTES;
    }

    /** The record in the remaining bytes. */
    public StoredRecord record(Identity identity) {
        return RecordFormat.read(identity, rest, now);
    }

    /** The remaining bytes as a text. */
    String text() {
        return StandardCharsets.UTF_8.decode(rest).toString();
    }
}
