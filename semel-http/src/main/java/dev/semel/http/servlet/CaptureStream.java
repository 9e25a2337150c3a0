package dev.semel.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The body of a response: held back until it is complete, or until it is longer than what is recorded. */
final class CaptureStream extends ServletOutputStream {

    /** Enough for most JSON answers, so that they are not copied while they grow. */
    private static final int FIRST_BYTES = 512;

    private final Handling handling;
    private final int cap;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream(FIRST_BYTES);
    private @Nullable OutputStream through;
    private boolean closed;

    CaptureStream(Handling handling, int cap) {
        this.handling = handling;
        this.cap = cap;
    }

    /** How much is held back at most. */
    int cap() {
        return cap;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (closed) {
            return;
        }
        if (through == null && held.size() + (long) length > cap) {
            through = handling.overflow();
            held.writeTo(through);
            held.reset();
        }
        if (through == null) {
            held.write(bytes, offset, length);
        } else {
            through.write(bytes, offset, length);
        }
    }

    /** Holds back what is held back: a flush is no reason to send what is not recorded. */
    @Override
    public void flush() throws IOException {
        if (through != null) {
            through.flush();
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        handling.executeLater(() -> {
            try {
                listener.onWritePossible();
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        });
    }

    boolean isClosed() {
        return closed;
    }

    boolean isStreaming() {
        return through != null;
    }

    void discard() {
        held.reset();
    }

    byte[] held() {
        return held.toByteArray();
    }
}
