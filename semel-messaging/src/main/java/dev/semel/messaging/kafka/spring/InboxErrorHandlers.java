package dev.semel.messaging.kafka.spring;

import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.ExponentialBackOff;

/** Error handlers for containers whose listeners have an inbox. */
public final class InboxErrorHandlers {

    /** A handler that failed once often succeeds at once. */
    private static final long FIRST_MILLIS = 100;

    /** Far below {@code max.poll.interval.ms}, after which Kafka takes a member that waits for dead. */
    private static final long LONGEST_MILLIS = 5_000;

    private InboxErrorHandlers() {}

    /** Publishes dead letters as Spring does, by default to {@code TOPIC-dlt}. */
    public static DefaultErrorHandler publishing(KafkaOperations<?, ?> operations) {
        DeadLetterPublishingRecoverer recoverer = new DeadLetterPublishingRecoverer(operations);
        // What could not be published is not passed: it comes again.
        recoverer.setFailIfSendResultIsError(true);
        return recovering(recoverer);
    }

    /**
     * Gives dead letters to this recoverer, at once. Everything else comes again, after pauses that grow, for as long as it
     * takes: Spring's own handler would give up after ten tries what somebody else is still at.
     */
    public static DefaultErrorHandler recovering(ConsumerRecordRecoverer recoverer) {
        ExponentialBackOff pauses = new ExponentialBackOff(FIRST_MILLIS, 2);
        pauses.setMaxInterval(LONGEST_MILLIS);
        pauses.setMaxElapsedTime(Long.MAX_VALUE);
        pauses.setMaxAttempts(Long.MAX_VALUE);
        DefaultErrorHandler handler = new DefaultErrorHandler(recoverer, pauses);
        // Failures of its own kinds, such as of conversion, keep Spring's meaning.
        handler.addNotRetryableExceptions(DeadLetterException.class);
        return handler;
    }
}
