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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One intent on its way.
 *
 * <ol>
 *   <li>The intent is written down, if there is a journal, and with it the key.
 *   <li>An attempt is made, with the key.
 *   <li>Its response is judged. A final one is the answer: the journal notes it, and the result is complete.
 *   <li>Otherwise it pauses and makes another attempt, or gives up.
 * </ol>
 *
 * <p>Nothing here blocks but {@link #await}. Attempts follow each other, each begun by the end of the one before; what an
 * interrupted caller reads meanwhile is volatile.
 */
final class Call<T> {

    private static final System.Logger LOG = System.getLogger("dev.semel.client");

    /** They come from whoever guards the server and say nothing about an earlier attempt. */
    private static final Set<Integer> NOT_ADMITTED = Set.of(401, 403, 407);

    private final ClientSettings settings;
    private final Intent intent;
    private final BodyHandler<Judged<T>> handler;
    private final long begun;
    private final CompletableFuture<Result<T>> result = new CompletableFuture<>();

    /** Whether the result is decided; it may take the journal until it is complete. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private final AtomicInteger attempts = new AtomicInteger();

    /** Whether an attempt that has ended may have been executed; true from the start for an intent that is resumed. */
    private volatile boolean maybeExecuted;

    private volatile boolean underWay;
    private volatile @Nullable Setback last;

    /** Stops what is going on: an attempt, or a pause. */
    private volatile Runnable stop = () -> {};

    Call(ClientSettings settings, Intent intent, BodyHandler<T> handler) {
        this.settings = settings;
        this.intent = intent;
        this.handler = new JudgingHandler<>(settings.rule(), handler);
        this.begun = settings.time().nanos();
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
            // Joining is not interrupted: without the key, nobody could find out what became of the intent.
            IntentKey known = key.join();
            noteDoubt(known.resumed());
            giveUp(known.value(), Reason.INTERRUPTED);
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

    /** Whatever goes wrong in here ends the call: nobody else would tell the caller. */
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
        // Whoever decides looks at this afterwards: either it sees the attempt, or the attempt sees the decision.
        underWay = true;
        if (decided.get() || result.isDone()) {
            return;
        }
        attempts.incrementAndGet();
        CompletableFuture<HttpResponse<Judged<T>>> exchange = send(key);
        Duration limit = left.compareTo(settings.policy().attemptTimeout()) < 0
                ? left
                : settings.policy().attemptTimeout();
        AtomicBoolean late = new AtomicBoolean();
        CompletableFuture<Void> guard =
                new CompletableFuture<Void>().completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<?> unusedLimit = guard.thenRunAsync(
                () -> {
                    late.set(true);
                    exchange.cancel(true);
                },
                settings.executor());
        stopWith(() -> exchange.cancel(true));
        CompletableFuture<?> unusedEnd = exchange.whenComplete((response, failure) -> {
            guard.cancel(false);
            stop = () -> {};
            safely(key, () -> ended(key, response, failure != null && late.get() ? tooLate(limit) : failure));
        });
    }

    private static HttpTimeoutException tooLate(Duration limit) {
        return new HttpTimeoutException("no answer within " + limit);
    }

    private void ended(String key, @Nullable HttpResponse<Judged<T>> response, @Nullable Throwable failure) {
        if (failure != null || response == null) {
            failed(
                    key,
                    failure == null
                            ? new IllegalStateException("neither a response nor a failure")
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
        if (failure instanceof IOException cause && !isOfThisMachine(cause)) {
            setback(key, new Setback.Failure(cause));
        } else if (failure instanceof CancellationException && (decided.get() || result.isDone())) {
            underWay = false;
        } else if (failure instanceof Exception cause) {
            last = new Setback.Failure(cause);
            giveUp(key, Reason.FAULT);
        } else {
            result.completeExceptionally(failure);
        }
    }

    /** Files that bodies come from or go to: trying again does not mend them. */
    private static boolean isOfThisMachine(Throwable failure) {
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
        underWay = false;
        Optional<Duration> asked = setback instanceof Setback.Response response
                ? RetryAfter.in(response.headers(), settings.time().now()).filter(wait -> !wait.isZero())
                : Optional.empty();
        Duration left = left();
        if (asked.isPresent() && asked.get().compareTo(left) >= 0) {
            giveUp(key, Reason.ASKED_TO_WAIT_TOO_LONG);
            return;
        }
        Duration pause = asked.isPresent()
                ? settings.policy().pauseOf(asked.get(), settings.random())
                : settings.policy().pauseAfter(attempts.get(), settings.random());
        if (pause.compareTo(left) >= 0) {
            giveUp(key, Reason.DEADLINE);
            return;
        }
        tell(key, setback, pause);
        // What stops the pause is set before it begins: it may be over, and the next attempt under way, before this
        // returns.
        CompletableFuture<ClientTime.Pause> pausing = new CompletableFuture<>();
        stopWith(() -> {
            CompletableFuture<?> unused = pausing.thenAccept(ClientTime.Pause::cancel);
        });
        pausing.complete(settings.time().pause(pause, () -> attempt(key)));
    }

    /** A doubt is never taken back, by no thread. */
    private void noteDoubt(boolean doubt) {
        if (doubt) {
            maybeExecuted = true;
        }
    }

    /** Where redirects are followed, a refusal may come from where an executed request was redirected to. */
    private boolean provesNotExecuted(Setback setback) {
        return setback.provesNotExecuted() && settings.http().followRedirects() == HttpClient.Redirect.NEVER;
    }

    private void tell(String key, Setback setback, Duration pause) {
        try {
            settings.listener().retrying(key, attempts.get(), setback, pause);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
        }
    }

    private Duration left() {
        return settings.policy().deadline().minusNanos(settings.time().nanos() - begun);
    }

    private void stopWith(Runnable newStop) {
        stop = newStop;
        if (result.isDone()) {
            newStop.run();
        }
    }

    /** The first decision counts. */
    private void giveUp(String key, Reason reason) {
        if (decided.compareAndSet(false, true)) {
            result.complete(new Result.GaveUp<>(
                    key, reason, attempts.get(), maybeExecuted || underWay, Optional.ofNullable(last)));
        }
    }

    private void answer(String key, HttpResponse<?> response, Judged.Final<T> answer) {
        if (!decided.compareAndSet(false, true) || result.isDone()) {
            return;
        }
        boolean unknown = maybeExecuted && !answer.replayed() && NOT_ADMITTED.contains(response.statusCode());
        if (!unknown) {
            IntentKey.finish(intent, key, settings);
        }
        result.complete(new Result.Answered<>(
                key, new FinalResponse<>(response, answer.body()), answer.replayed(), attempts.get(), unknown));
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
