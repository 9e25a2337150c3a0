package dev.semel.spring.console;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Responses that go on: one event a second to each client that takes it, from one thread that waits for none of them. */
final class EventStreams implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "semel-console-events");
        thread.setDaemon(true);
        return thread;
    });

    void start(HttpServletRequest request, HttpServletResponse response, byte[] first, Supplier<String> events)
            throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        Stream stream = new Stream(async, response.getOutputStream(), first, events);
        response.getOutputStream().setWriteListener(stream);
        stream.ticking.set(timer.scheduleAtFixedRate(stream::tick, 1, 1, TimeUnit.SECONDS));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** One client. An event that it cannot take at once is skipped. */
    private static final class Stream implements WriteListener {

        private final AsyncContext async;
        private final ServletOutputStream out;
        private final Supplier<String> events;
        private final AtomicReference<@Nullable ScheduledFuture<?>> ticking = new AtomicReference<>();
        private byte @Nullable [] first;

        Stream(AsyncContext async, ServletOutputStream out, byte[] first, Supplier<String> events) {
            this.async = async;
            this.out = out;
            this.first = first;
            this.events = events;
        }

        @Override
        public synchronized void onWritePossible() throws IOException {
            byte[] waiting = first;
            if (waiting != null) {
                first = null;
                send(waiting);
            }
        }

        private void send(byte[] bytes) throws IOException {
            if (out.isReady()) {
                out.write(bytes);
                if (out.isReady()) {
                    out.flush();
                }
            }
        }

        synchronized void tick() {
            try {
                if (first == null) {
                    send(events.get().getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException | RuntimeException gone) {
                onError(gone);
            }
        }

        @Override
        public void onError(Throwable failure) {
            ScheduledFuture<?> future = ticking.get();
            if (future != null) {
                future.cancel(false);
            }
            try {
                async.complete();
            } catch (IllegalStateException ended) {
                // The container was faster.
            }
        }
    }
}
