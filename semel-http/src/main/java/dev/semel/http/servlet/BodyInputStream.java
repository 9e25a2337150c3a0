package dev.semel.http.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.Executor;

/** A body in memory as a servlet's input; it is always ready, so a listener is called at once, by the executor. */
final class BodyInputStream extends ServletInputStream {

    private final ByteArrayInputStream in;
    private final Executor executor;

    BodyInputStream(byte[] body, Executor executor) {
        this.in = new ByteArrayInputStream(body);
        this.executor = executor;
    }

    @Override
    public boolean isFinished() {
        return in.available() == 0;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        executor.execute(() -> {
            try {
                if (!isFinished()) {
                    listener.onDataAvailable();
                }
                if (isFinished()) {
                    listener.onAllDataRead();
                }
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        });
    }

    @Override
    public int read() {
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        return in.read(bytes, offset, length);
    }

    @Override
    public int available() {
        return in.available();
    }
}
