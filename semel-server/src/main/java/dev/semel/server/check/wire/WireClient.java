package dev.semel.server.check.wire;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An HTTP client that does what careful clients never do: it hangs up in the middle, stops waiting, and has many requests arrive at
 * the same instant. Each request has a connection of its own.
 */
public final class WireClient implements AutoCloseable {

    private final Connector connector;
    private final Budget budget;
    private final CheckTime time;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "semel-check");
        thread.setDaemon(true);
        return thread;
    });

    /** @param timeout how long an answer is waited for */
    public WireClient(Budget budget, CheckTime time, Duration timeout, boolean trustAll) {
        this.connector = new Connector(trustAll, timeout);
        this.budget = budget;
        this.time = time;
    }

    public Reply send(WireRequest request) {
        budget.take(1);
        return exchange(request);
    }

    private Reply exchange(WireRequest request) {
        Duration start = time.now();
        try (Socket socket = connector.open(request)) {
            return sendAll(socket, request);
        } catch (IOException e) {
            return none(e, start);
        }
    }

    private Answer sendAll(Socket socket, WireRequest request) throws IOException {
        socket.getOutputStream().write(request.bytes());
        socket.getOutputStream().flush();
        return read(socket, request, time.now());
    }

    private Answer read(Socket socket, WireRequest request, Duration sent) throws IOException {
        Answer answer = new AnswerReader(socket.getInputStream(), request.method()).read();
        return new Answer(
                answer.status(), answer.headers(), answer.body(), time.now().minus(sent));
    }

    /**
     * Sends requests that arrive together: all but the last byte of each first, then the last bytes.
     *
     * @param stagger the pause before the last byte of each request but the first
     */
    public List<Reply> sendTogether(List<WireRequest> requests, Duration stagger) {
        budget.take(requests.size());
        CountDownLatch ready = new CountDownLatch(requests.size());
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            WireRequest request = requests.get(i);
            Duration delay = stagger.multipliedBy(i);
            replies.add(threads.submit(() -> sendLastByteAfter(request, ready, go, delay)));
        }
        await(ready);
        go.countDown();
        return replies.stream().map(WireClient::result).toList();
    }

    private Reply sendLastByteAfter(WireRequest request, CountDownLatch ready, CountDownLatch go, Duration delay) {
        Duration start = time.now();
        byte[] bytes = request.bytes();
        try (Socket socket = connector.open(request)) {
            try {
                socket.getOutputStream().write(bytes, 0, bytes.length - 1);
                socket.getOutputStream().flush();
            } finally {
                ready.countDown();
            }
            await(go);
            time.pause(delay);
            socket.getOutputStream().write(bytes, bytes.length - 1, 1);
            socket.getOutputStream().flush();
            return read(socket, request, time.now());
        } catch (IOException e) {
            return none(e, start);
        } finally {
            ready.countDown();
        }
    }

    /** Sends a request, waits for the given time after it, resets the connection, and never learns the answer. */
    public void hangUp(WireRequest request, HangUp when, Duration wait) {
        budget.take(1);
        try (Socket socket = connector.open(request)) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(request.bytes());
            socket.getOutputStream().flush();
            if (when == HangUp.BEFORE_ANSWER) {
                time.pause(wait);
            } else if (when == HangUp.DURING_ANSWER) {
                int first = socket.getInputStream().read();
                if (first < 0) {
                    return;
                }
            } else {
                read(socket, request, time.now());
            }
        } catch (IOException e) {
            // The answer is of no interest: what the retry finds is.
        }
    }

    /**
     * Sends a request, stops waiting after some time without closing the connection, and sends the same request again on another
     * one.
     *
     * @return the answer to the second
     */
    public Reply sendAgainAfter(WireRequest request, Duration readTimeout) {
        budget.take(2);
        try (Socket socket = connector.open(request)) {
            socket.setSoTimeout((int) Math.max(1, readTimeout.toMillis()));
            socket.getOutputStream().write(request.bytes());
            socket.getOutputStream().flush();
            try {
                read(socket, request, time.now());
            } catch (SocketTimeoutException e) {
                return exchange(request);
            }
        } catch (IOException e) {
            // The retry is what counts.
        }
        return exchange(request);
    }

    public Budget budget() {
        return budget;
    }

    public CheckTime time() {
        return time;
    }

    private NoAnswer none(IOException failure, Duration start) {
        String reason = failure instanceof SocketTimeoutException ? "timeout" : String.valueOf(failure.getMessage());
        return new NoAnswer(reason, time.now().minus(start));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedCheckException();
        }
    }

    private static Reply result(Future<Reply> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedCheckException();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a request could not be sent: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
