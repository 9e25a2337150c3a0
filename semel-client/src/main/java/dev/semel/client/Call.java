package dev.semel.client;

import dev.semel.client.Result.Reason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One call: the attempts to send one intent.
 *
 * <ol>
 *   <li>With a journal, the intent and its key are recorded.
 *   <li>An attempt sends the request with the key.
 *   <li>The rule judges its response. A final response is the answer: the journal marks the intent as finished, and the result
 *       is complete.
 *   <li>Otherwise the call pauses and makes another attempt, or gives up.
 * </ol>
 *
 * <p>Only {@link #await} blocks. There is one attempt at a time; the end of one starts the next. Fields that an interrupted
 * caller reads concurrently are volatile.
 */
final class Call<T> {

    private static final System.Logger LOG = System.getLogger("dev.semel.client");

    /** Statuses of an access check, which say nothing about an earlier attempt. */
    private static final Set<Integer> NOT_ADMITTED = Set.of(401, 403, 407);

    private final ClientSettings settings;
    private final ClientIntent intent;
    private final BodyHandler<Judged<T>> handler;
    private final long startNanos;
    private final CompletableFuture<Result<T>> result = new CompletableFuture<>();

    /** Whether the result is decided; it is complete when the journal has recorded it. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private final AtomicInteger attempts = new AtomicInteger();

    /** Whether an earlier attempt may have been executed; true from the start for a resumed intent. */
    private volatile boolean maybeExecuted;

    private volatile boolean attempting;
    private volatile @Nullable Setback last;

    /** Stops the current attempt or pause. */
    private volatile Runnable stop = () -> {};

    Call(ClientSettings settings, ClientIntent intent, BodyHandler<T> handler) {
        this.settings = settings;
        this.intent = intent;
        this.handler = new JudgingHandler<>(settings.rule(), handler);
        this.startNanos = settings.time().nanos();
    }

    CompletableFuture<Result<T>> start() {
        begin(IntentKey.of(intent, settings));
        return result;
    }

    Result<T> await() {
        CompletableFuture<IntentKey> key = IntentKey.of(intent, settings);
        if (!Thread.currentThread().isInterrupted()) {
            begin(key);
            try {
                return result.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw rethrown(e.getCause());
            }
        }
        try {
            // Not interruptible: without the key, the caller could not find out the outcome.
            IntentKey recorded = key.join();
            noteDoubt(recorded.resumed());
            giveUp(recorded.value(), Reason.INTERRUPTED);
            return result.join();
        } catch (CompletionException e) {
            throw rethrown(e.getCause());
        }
    }

    private void begin(CompletableFuture<IntentKey> key) {
        CompletableFuture<?> unusedStopped = result.whenComplete((value, failure) -> stop.run());
        CompletableFuture<?> unusedSent = key.whenComplete((ready, failure) -> {
            if (failure != null) {
                result.completeExceptionally(unwrapped(failure));
            } else {
                noteDoubt(ready.resumed());
                attempt(ready.value());
            }
        });
    }

    private void attempt(String key) {
        safely(key, () -> attemptUntil(key, left()));
    }

    /** Runs a step; any failure of it ends the call, so that the caller gets a result. */
    private void safely(String key, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            failed(key, e);
        }
    }

    private void attemptUntil(String key, Duration left) {
        if (left.isNegative() || left.isZero()) {
            giveUp(key, Reason.DEADLINE);
            return;
        }
        // Set before the check below: either the deciding thread sees the attempt, or the attempt sees the decision.
        attempting = true;
        if (decided.get() || result.isDone()) {
            return;
        }
        attempts.incrementAndGet();
        CompletableFuture<HttpResponse<Judged<T>>> exchange = send(key);
        Duration limit = left.compareTo(settings.policy().attemptTimeout()) < 0
                ? left
                : settings.policy().attemptTimeout();
        AtomicBoolean late = new AtomicBoolean();
        ClientTime.Pause timeLimit = settings.timer().after(limit, () -> {
            late.set(true);
            exchange.cancel(true);
        });
        stopWith(() -> exchange.cancel(true));
        CompletableFuture<?> unusedEnd = exchange.whenComplete((response, failure) -> {
            timeLimit.cancel();
            stop = () -> {};
            safely(key, () -> ended(key, response, failure != null && late.get() ? timedOut(limit) : failure));
        });
    }

    private static HttpTimeoutException timedOut(Duration limit) {
        return new HttpTimeoutException("no answer within " + limit);
    }

    private void ended(String key, @Nullable HttpResponse<Judged<T>> response, @Nullable Throwable failure) {
        if (failure != null || response == null) {
            failed(
                    key,
                    failure == null
                            ? new IllegalStateException("the HTTP client returned neither a response nor a failure")
                            : unwrapped(failure));
        } else if (response.body() instanceof Judged.NotYet<T> notYet) {
            setback(key, Setback.Response.of(notYet.reply()));
        } else if (response.body() instanceof Judged.Final<T> answer) {
            answer(key, response, answer);
        }
    }

    private CompletableFuture<HttpResponse<Judged<T>>> send(String key) {
        try {
            HttpRequest request = HttpRequest.newBuilder(intent.request(), (name, value) -> true)
                    .setHeader(settings.header().name(), settings.header().valueOf(key))
                    .build();
            return settings.http().sendAsync(request, handler);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void failed(String key, Throwable failure) {
        if (failure instanceof IOException cause && !isLocal(cause)) {
            setback(key, new Setback.Failure(cause));
        } else if (failure instanceof CancellationException && (decided.get() || result.isDone())) {
            attempting = false;
        } else if (failure instanceof Exception cause) {
            last = new Setback.Failure(cause);
            giveUp(key, Reason.FAULT);
        } else {
            result.completeExceptionally(failure);
        }
    }

    /** Whether a local file failed, such as that of a body: another attempt would fail as well. */
    private static boolean isLocal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof FileSystemException || cause instanceof FileNotFoundException) {
                return true;
            }
        }
        return false;
    }

    private void setback(String key, Setback setback) {
        if (decided.get()) {
            return;
        }
        last = setback;
        noteDoubt(!provesNotExecuted(setback));
        attempting = false;
        Optional<Duration> retryAfter = setback instanceof Setback.Response response
                ? RetryAfter.in(response.headers(), settings.time().now()).filter(wait -> !wait.isZero())
                : Optional.empty();
        Duration left = left();
        if (retryAfter.isPresent() && retryAfter.get().compareTo(left) >= 0) {
            giveUp(key, Reason.ASKED_TO_WAIT_TOO_LONG);
            return;
        }
        Duration pause = retryAfter.isPresent()
                ? settings.policy().pauseOf(retryAfter.get(), settings.random())
                : settings.policy().pauseAfter(attempts.get(), settings.random());
        if (pause.compareTo(left) >= 0) {
            giveUp(key, Reason.DEADLINE);
            return;
        }
        notifyListener(key, setback, pause);
        // Set before the pause starts: it may be over, and the next attempt started, before this returns.
        CompletableFuture<ClientTime.Pause> pausing = new CompletableFuture<>();
        stopWith(() -> {
            CompletableFuture<?> unused = pausing.thenAccept(ClientTime.Pause::cancel);
        });
        pausing.complete(settings.time().pause(pause, () -> attempt(key)));
    }

    /** Sets the doubt; no thread ever clears it. */
    private void noteDoubt(boolean doubt) {
        if (doubt) {
            maybeExecuted = true;
        }
    }

    /** Where redirects are followed, the refusal can be that of the redirect's target, after the request was executed. */
    private boolean provesNotExecuted(Setback setback) {
        return setback.provesNotExecuted() && settings.http().followRedirects() == HttpClient.Redirect.NEVER;
    }

    private void notifyListener(String key, Setback setback, Duration pause) {
        try {
            settings.listener().retrying(key, attempts.get(), setback, pause);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a retry listener failed; the call continues", e);
        }
    }

    private Duration left() {
        return settings.policy().deadline().minusNanos(settings.time().nanos() - startNanos);
    }

    private void stopWith(Runnable newStop) {
        stop = newStop;
        if (result.isDone()) {
            newStop.run();
        }
    }

    /** Only the first decision counts. */
    private void giveUp(String key, Reason reason) {
        if (decided.compareAndSet(false, true)) {
            result.complete(new Result.GaveUp<>(
                    key, reason, attempts.get(), maybeExecuted || attempting, Optional.ofNullable(last)));
        }
    }

    private void answer(String key, HttpResponse<?> response, Judged.Final<T> answer) {
        if (!decided.compareAndSet(false, true) || result.isDone()) {
            return;
        }
        boolean unknown = !answer.replayed() && leavesDoubt(answer.reply());
        if (!unknown) {
            IntentKey.finish(intent, key, settings);
        }
        result.complete(new Result.Answered<>(
                key,
                new FinalResponse<>(response, answer.body()),
                answer.replayed(),
                attempts.get(),
                unknown,
                KeyAdvice.in(answer.reply())));
    }

    /** Whether an answer says nothing about an attempt that may have been executed, now or with the caller's key before. */
    private boolean leavesDoubt(Reply reply) {
        return (maybeExecuted && NOT_ADMITTED.contains(reply.status()))
                || (reply.withholdsOutcome() && (maybeExecuted || intent.key().isPresent()));
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static RuntimeException rethrown(@Nullable Throwable failure) {
        Throwable cause = failure == null ? new IllegalStateException("failed without a cause") : unwrapped(failure);
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException exception) {
            return exception;
        }
        return cause instanceof IOException io ? new UncheckedIOException(io) : new IllegalStateException(cause);
    }
}
