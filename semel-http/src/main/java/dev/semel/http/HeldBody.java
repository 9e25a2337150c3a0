package dev.semel.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The body of a response that is held in memory until its record is settled, up to a limit. Not thread-safe. */
public final class HeldBody {

    /** Enough for most JSON answers, so that they are not copied while they grow. */
    private static final int FIRST_BYTES = 512;

    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(FIRST_BYTES);

    public HeldBody(int limit) {
        this.limit = limit;
    }

    /** The most bytes that are held. */
    public int limit() {
        return limit;
    }

    /** Appends these bytes; false, and nothing is appended, where the body would grow beyond its limit. */
    public boolean hold(byte[] more, int offset, int length) {
        if (bytes.size() + (long) length > limit) {
            return false;
        }
        bytes.write(more, offset, length);
        return true;
    }

    /** Discards what is held. */
    public void clear() {
        bytes.reset();
    }

    public void writeTo(OutputStream out) throws IOException {
        bytes.writeTo(out);
    }

    public Body toBody() {
        return Body.of(bytes.toByteArray());
    }
}
