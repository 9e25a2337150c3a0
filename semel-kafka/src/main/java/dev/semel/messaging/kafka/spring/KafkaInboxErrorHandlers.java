package dev.semel.messaging.kafka.spring;

import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.ExponentialBackOff;

/** Error handlers for containers whose listeners have an inbox. */
public final class KafkaInboxErrorHandlers {

    /** A handler that failed once often succeeds at once. */
    private static final long FIRST_PAUSE_MILLIS = 100;

    /** Far below {@code max.poll.interval.ms}, after which Kafka removes a member from its group. */
    private static final long MAX_PAUSE_MILLIS = 5_000;

    private KafkaInboxErrorHandlers() {}

    /** Publishes dead letters as Spring Kafka does, by default to {@code TOPIC-dlt}. */
    public static DefaultErrorHandler publishing(KafkaOperations<?, ?> operations) {
        DeadLetterPublishingRecoverer recoverer = new DeadLetterPublishingRecoverer(operations);
        // A dead letter that could not be published is redelivered.
        recoverer.setFailIfSendResultIsError(true);
        return recovering(recoverer);
    }

    /**
     * Passes dead letters to this recoverer at once, and retries everything else without limit, after growing pauses. Spring's
     * default handler would skip a record after ten tries although another consumer is still handling it.
     */
    public static DefaultErrorHandler recovering(ConsumerRecordRecoverer recoverer) {
        // Without a limit of tries: the method that sets one differs between Spring 6 and 7, and there is none by
        // default.
        ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE_MILLIS, 2);
        pauses.setMaxInterval(MAX_PAUSE_MILLIS);
        DefaultErrorHandler handler = new DefaultErrorHandler(recoverer, pauses);
        // Spring's own fatal exceptions, such as of conversion, stay not retryable.
        handler.addNotRetryableExceptions(DeadLetterException.class);
        return handler;
    }
}
