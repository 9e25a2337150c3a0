package dev.semel.server.check.wire;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection that is closed when its time is up, also where the server sends a byte now and then, or takes none. */
final class Connection implements Closeable {

    private final Socket plain;
    private final ScheduledExecutorService timer;
    private final Duration limit;
    private volatile Socket socket;
    private volatile boolean expired;
    private @Nullable ScheduledFuture<?> end;

    /** @param limit how long everything may take, until {@link #restart} */
    Connection(Socket plain, ScheduledExecutorService timer, Duration limit) {
        this.plain = plain;
        this.socket = plain;
        this.timer = timer;
        this.limit = limit;
        restart();
    }

    /** The time begins anew. */
    void restart() {
        if (end != null) {
            end.cancel(false);
        }
        end = timer.schedule(this::expire, limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes the socket below TLS: that of TLS would wait for the thread that reads. */
    private void expire() {
        expired = true;
        try {
            plain.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    /** Whether the connection failed because its time was up. */
    boolean isExpired() {
        return expired;
    }

    Socket plain() {
        return plain;
    }

    /** From now on the bytes go through TLS. */
    void use(Socket secured) {
        socket = secured;
    }

    InputStream in() throws IOException {
        return socket.getInputStream();
    }

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    void setReadTimeout(Duration timeout) throws IOException {
        socket.setSoTimeout((int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis())));
    }

    /** Closing resets the connection, as a client does that dies. */
    void resetOnClose() throws IOException {
        plain.setSoLinger(true, 0);
    }

    @Override
    public void close() throws IOException {
        if (end != null) {
            end.cancel(false);
        }
        try {
            socket.close();
        } finally {
            plain.close();
        }
    }
}
