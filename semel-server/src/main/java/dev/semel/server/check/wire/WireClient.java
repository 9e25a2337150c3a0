package dev.semel.server.check.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/**
 * An HTTP client that does what careful clients never do: it hangs up in the middle, stops waiting, and has many requests arrive at
 * the same instant. Each request has a connection of its own.
 */
public final class WireClient implements AutoCloseable {

    /** A server that is only busy answers one of them. Requests that are sent together count as one. */
    private static final int MAX_UNANSWERED = 4;

    private final Connector connector;
    private final Budget budget;
    private final CheckTime time;
    private final WireOptions options;
    private final AtomicInteger unanswered = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(WireClient::thread);
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, WireClient::thread);

    public WireClient(Budget budget, CheckTime time, WireOptions options) {
        this.connector = new Connector(options, timer);
        this.budget = budget;
        this.time = time;
        this.options = options;
        timer.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "semel-check");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Sends a request, and waits for its answer.
     *
     * @throws BudgetSpentException when there is none left
     * @throws UnresponsiveException when too many before it got no answer in time
     */
    public Reply send(WireRequest request) {
        take(1);
        return noted(exchange(request));
    }

    private Reply noted(Reply reply) {
        if (reply instanceof NoAnswer none && none.isTimeout()) {
            unanswered.incrementAndGet();
        } else {
            unanswered.set(0);
        }
        return reply;
    }

    private void take(int requests) {
        int count = unanswered.get();
        if (count >= MAX_UNANSWERED) {
            throw new UnresponsiveException(count, options.timeout());
        }
        budget.take(requests);
    }

    private Reply exchange(WireRequest request) {
        Duration start = time.now();
        try (Connection connection = connector.open(request)) {
            try {
                connection.out().write(request.bytes());
                connection.out().flush();
                return read(connection, request, time.now());
            } catch (IOException e) {
                return none(e, connection.isExpired(), start);
            }
        } catch (IOException e) {
            return none(e, false, start);
        }
    }

    private Answer read(Connection connection, WireRequest request, Duration sent) throws IOException {
        InputStream in = new BufferedInputStream(connection.in());
        Answer answer = new AnswerReader(in, request.method()).read();
        return new Answer(
                answer.status(), answer.headers(), answer.body(), time.now().minus(sent));
    }

    /**
     * Sends requests that arrive together: all but the last byte of each first, then the last bytes.
     *
     * @param stagger the pause before the last byte of each request but the first
     */
    public List<Reply> sendTogether(List<WireRequest> requests, Duration stagger) {
        take(requests.size());
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
        List<Reply> results = replies.stream().map(WireClient::result).toList();
        noted(results.stream().filter(Answer.class::isInstance).findFirst().orElse(results.get(0)));
        return results;
    }

    private Reply sendLastByteAfter(WireRequest request, CountDownLatch ready, CountDownLatch go, Duration delay) {
        Duration start = time.now();
        byte[] bytes = request.bytes();
        try (Connection connection = connector.open(request)) {
            try {
                connection.out().write(bytes, 0, bytes.length - 1);
                connection.out().flush();
                ready.countDown();
                await(go);
                time.pause(delay);
                connection.restart();
                connection.out().write(bytes, bytes.length - 1, 1);
                connection.out().flush();
                return read(connection, request, time.now());
            } catch (IOException e) {
                return none(e, connection.isExpired(), start);
            }
        } catch (IOException e) {
            return none(e, false, start);
        } finally {
            ready.countDown();
        }
    }

    /** Sends a request, waits for the given time after it, resets the connection, and never learns the answer. */
    public void hangUp(WireRequest request, HangUp when, Duration wait) {
        take(1);
        try (Connection connection = connector.open(request)) {
            connection.resetOnClose();
            connection.out().write(request.bytes());
            connection.out().flush();
            if (when == HangUp.BEFORE_ANSWER) {
                time.pause(wait);
            } else if (when == HangUp.DURING_ANSWER) {
                int first = connection.in().read();
                if (first < 0) {
                    return;
                }
            } else {
                read(connection, request, time.now());
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
        take(2);
        try (Connection connection = connector.open(request)) {
            connection.setReadTimeout(readTimeout);
            connection.out().write(request.bytes());
            connection.out().flush();
            try {
                read(connection, request, time.now());
            } catch (SocketTimeoutException e) {
                return noted(exchange(request));
            }
        } catch (IOException e) {
            // The retry is what counts.
        }
        return noted(exchange(request));
    }

    public Budget budget() {
        return budget;
    }

    public CheckTime time() {
        return time;
    }

    private NoAnswer none(IOException failure, boolean expired, Duration start) {
        boolean timeout = expired || failure instanceof SocketTimeoutException;
        String reason = failure instanceof SSLException ? NoAnswer.TLS + failure.getMessage() : failure.getMessage();
        return new NoAnswer(
                timeout ? NoAnswer.TIMEOUT : String.valueOf(reason), time.now().minus(start));
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
        timer.shutdownNow();
    }
}
