package dev.semel.dynamodb.table;

import dev.semel.StoreException;
import dev.semel.items.Pauses;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Calls of the service: each answer sets the clock, and a call without a clear answer is repeated.
 *
 * <p>Repeating is safe for reads, and for the writes of {@link Table}: they have a condition that holds once, and a token in the
 * item that tells whether an earlier try was the one that was written. So a lost answer is found out and never guessed. When
 * no try gets a clear answer the call fails with a {@link StoreException}.
 */
public final class Calls {

    /** Three tries ride out a throttled moment or a lost connection; more would keep a caller from its own timeout. */
    private static final int TRIES = 3;

    private static final long FIRST_PAUSE_MILLIS = 20;

    private final ServiceClock clock;
    private final Pauses pauses = new Pauses();

    public Calls(ServiceClock clock) {
        this.clock = clock;
    }

    /** An answer, and when it came by the service's clock. */
    public record Answer<T>(T value, Instant at) {}

    /** Calls the service until it answers clearly; an answer that a condition did not hold becomes a value as well. */
    public <R extends SdkResponse, T> CompletableFuture<Answer<T>> call(
            Supplier<CompletableFuture<R>> request,
            Function<R, T> value,
            Function<ConditionalCheckFailedException, T> refused) {
        return attempt(request, value, refused, 1);
    }

    /** Calls the service until it answers clearly. */
    public <R extends SdkResponse, T> CompletableFuture<Answer<T>> call(
            Supplier<CompletableFuture<R>> request, Function<R, T> value) {
        return attempt(
                request,
                value,
                refusal -> {
                    throw fault(refusal);
                },
                1);
    }

    private <R extends SdkResponse, T> CompletableFuture<Answer<T>> attempt(
            Supplier<CompletableFuture<R>> request,
            Function<R, T> value,
            Function<ConditionalCheckFailedException, T> refused,
            int number) {
        long sent = clock.elapsed();
        return request.get()
                .handle((response, thrown) -> thrown == null
                        ? new Reply<>(answer(response.sdkHttpResponse(), sent, () -> value.apply(response)), null)
                        : reply(thrown, sent, refused))
                .thenCompose(reply -> {
                    if (reply.fault() == null) {
                        return CompletableFuture.completedFuture(Objects.requireNonNull(reply.answer()));
                    }
                    return number < TRIES && mayPass(reply.fault())
                            ? pause(pauseBefore(number + 1))
                                    .thenCompose(done -> attempt(request, value, refused, number + 1))
                            : CompletableFuture.failedFuture(fault(reply.fault()));
                });
    }

    /** What came of one try: an answer, or a fault. */
    private record Reply<T>(
            @Nullable Answer<T> answer, @Nullable Throwable fault) {}

    private <T> Reply<T> reply(Throwable thrown, long sent, Function<ConditionalCheckFailedException, T> refused) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof ConditionalCheckFailedException refusal
                ? new Reply<>(
                        answer(refusal.awsErrorDetails().sdkHttpResponse(), sent, () -> refused.apply(refusal)), null)
                : new Reply<>(null, cause);
    }

    private <T> Answer<T> answer(@Nullable SdkHttpResponse response, long sent, Supplier<T> value) {
        Instant at = heard(response, sent);
        return new Answer<>(value.get(), at);
    }

    private static long pauseBefore(int number) {
        long most = FIRST_PAUSE_MILLIS << (2 * (number - 1));
        return ThreadLocalRandom.current().nextLong(most / 2, most);
    }

    /** Is done when so much time has passed. */
    public CompletableFuture<Void> pause(long millis) {
        return pauses.pause(millis);
    }

    /** Whether the same call can succeed a moment later: no answer, a fault of the service, or throttling. */
    private static boolean mayPass(Throwable cause) {
        if (cause instanceof AwsServiceException service) {
            return service.statusCode() >= 500 || service.isThrottlingException();
        }
        return cause instanceof SdkClientException;
    }

    private static StoreException fault(Throwable cause) {
        if (cause instanceof StoreException fault) {
            return fault;
        }
        if (cause instanceof AwsServiceException service && service.isThrottlingException()) {
            return new StoreException(
                    "DynamoDB throttled " + TRIES + " tries in a row: the table or the account is at its limit."
                            + " Retry later; raise the table's capacity, or use on-demand capacity.",
                    cause);
        }
        if (cause instanceof AwsServiceException service && service.statusCode() < 500) {
            return new StoreException("DynamoDB refused the request: " + message(service), cause);
        }
        return new StoreException(
                "DynamoDB gave no clear answer to " + TRIES + " tries (" + cause.getMessage()
                        + "). A write may or may not have happened; the next claim of the key finds out.",
                cause);
    }

    private static String message(AwsServiceException service) {
        return service.awsErrorDetails() == null
                ? String.valueOf(service.getMessage())
                : service.awsErrorDetails().errorMessage();
    }

    private Instant heard(@Nullable SdkHttpResponse response, long sent) {
        String date =
                response == null ? null : response.firstMatchingHeader("Date").orElse(null);
        if (date == null) {
            throw new StoreException("the endpoint's answer has no Date header, which is the clock of this store:"
                    + " use an endpoint of DynamoDB itself, not a proxy that removes it");
        }
        try {
            Instant told = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return clock.heard(told, sent).decisive();
        } catch (DateTimeException e) {
            throw new StoreException("the endpoint's answer has a malformed Date header", e);
        }
    }
}
