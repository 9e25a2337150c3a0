package dev.semel.items;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of an audit as an item holds it: token, time, change, fence, states, who, why. Who is left out where it is the
 * holder of the last granted claim.
 */
public final class AuditBytes {

    private static final Change[] CHANGES = {
        Change.GRANTED,
        Change.TAKEN_OVER,
        Change.STEP,
        Change.SETTLED,
        Change.GIVEN_UP,
        Change.REOFFERED,
        Change.RECONCILED,
        Change.RESCHEDULED,
        Change.DEAD_LETTERED,
        Change.REQUEUED,
        Change.EXPIRED,
        Change.VIEWED,
        Change.PROPOSED,
        Change.FORGOTTEN,
        Change.REPLAY_REFUSED
    };

    private static final int FIXED = 3 * Long.BYTES + 3 + 2 * Integer.BYTES;

    private final byte[] bytes;

    /** An entry as it was stored; the array is never changed. */
    public AuditBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The array itself, not a copy: never change it. */
    public byte[] bytes() {
        return bytes;
    }

    static AuditBytes of(AuditEntry entry, long token) {
        byte[] who = ofHolder(entry.change()) ? new byte[0] : utf8(entry.who());
        byte[] why = entry.why() == null ? null : utf8(entry.why());
        ByteBuffer buffer = ByteBuffer.allocate(FIXED + who.length + (why == null ? 0 : why.length))
                .putLong(token)
                .putLong(Codes.micros(entry.at()))
                .put((byte) code(entry.change()))
                .putLong(entry.fence())
                .put((byte) (entry.from() == null ? 0 : Codes.code(entry.from())))
                .put((byte) Codes.code(entry.to()))
                .putInt(who.length)
                .putInt(why == null ? -1 : why.length)
                .put(who);
        if (why != null) {
            buffer.put(why);
        }
        return new AuditBytes(buffer.array());
    }

    /** Steps and settlements are of the holder; a claim that gives up an attempt has another. */
    private static boolean ofHolder(Change change) {
        return change == Change.STEP || change == Change.SETTLED;
    }

    long token() {
        return ByteBuffer.wrap(bytes).getLong();
    }

    static List<AuditEntry> entries(Identity identity, List<AuditBytes> audit) {
        List<AuditEntry> entries = new ArrayList<>();
        String holder = "";
        for (AuditBytes one : audit) {
            AuditEntry entry = one.entry(identity, entries.size() + 1L, holder);
            if (entry.change() == Change.GRANTED || entry.change() == Change.TAKEN_OVER) {
                holder = entry.who();
            }
            entries.add(entry);
        }
        return entries;
    }

    private AuditEntry entry(Identity identity, long number, String holder) {
        ByteBuffer in = ByteBuffer.wrap(bytes).position(Long.BYTES);
        long at = in.getLong();
        Change change = CHANGES[in.get() - 1];
        long fence = in.getLong();
        int from = in.get();
        State to = Codes.state(in.get());
        int whoLength = in.getInt();
        int whyLength = in.getInt();
        String who = text(in, whoLength);
        String why = whyLength < 0 ? null : text(in, whyLength);
        return new AuditEntry(
                identity,
                number,
                Codes.instant(at),
                change,
                fence,
                from == 0 ? null : Codes.state(from),
                to,
                ofHolder(change) ? holder : who,
                why);
    }

    private static int code(Change change) {
        for (int i = 0; i < CHANGES.length; i++) {
            if (CHANGES[i] == change) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("no code for " + change);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
