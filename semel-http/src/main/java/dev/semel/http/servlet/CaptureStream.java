package dev.semel.http.servlet;

import dev.semel.http.HeldBody;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The body of a response: held back until it is complete, or until it is longer than what is recorded. */
final class CaptureStream extends ServletOutputStream {

    private final Handling handling;
    private final HeldBody held;
    private @Nullable OutputStream through;
    private boolean closed;

    CaptureStream(Handling handling, int limit) {
        this.handling = handling;
        this.held = new HeldBody(limit);
    }

    HeldBody held() {
        return held;
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
        if (through == null) {
            if (held.hold(bytes, offset, length)) {
                return;
            }
            through = handling.overflow();
            held.writeTo(through);
            held.clear();
        }
        through.write(bytes, offset, length);
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
}
