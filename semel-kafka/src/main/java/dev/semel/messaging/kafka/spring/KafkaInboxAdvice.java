package dev.semel.messaging.kafka.spring;

import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Advice around a listener of single records that calls it once per message.
 *
 * <ol>
 *   <li>A duplicate is acknowledged, and the listener is not called.
 *   <li>A record that must be redelivered ends in a {@link RedeliverException}, a dead letter in a
 *       {@link DeadLetterException}. The error handlers of {@link KafkaInboxErrorHandlers} treat them accordingly.
 * </ol>
 *
 * <p>It works for all listeners of a container, whatever their parameters are:
 *
 * <pre>{@code
 * factory.getContainerProperties().setAdviceChain(new KafkaInboxAdvice(inbox));
 * }</pre>
 */
public final class KafkaInboxAdvice implements MethodInterceptor {

    private final Inbox<ConsumerRecord<?, ?>> inbox;

    public KafkaInboxAdvice(Inbox<ConsumerRecord<?, ?>> inbox) {
        this.inbox = inbox;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        @Nullable Object[] arguments = invocation.getArguments();
        ConsumerRecord<?, ?> message = first(ConsumerRecord.class, arguments);
        if (message == null) {
            if (invocation.getMethod().getName().equals("onMessage")) {
                throw new IllegalStateException(
                        "the listener takes batches, but KafkaInboxAdvice is for listeners of single records: use a"
                                + " KafkaInboxBatchListener");
            }
            return invocation.proceed();
        }
        AtomicReference<@Nullable Object> result = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Delivery delivery = inbox.handle(message, (handled, attempt) -> {
            try {
                result.set(invocation.proceed());
            } catch (Exception | Error e) {
                failure.set(e);
                throw e;
            } catch (Throwable e) {
                failure.set(e);
                throw new IllegalStateException(e);
            }
        });
        finish(delivery, failure.get(), first(Acknowledgment.class, arguments));
        return result.get();
    }

    private static void finish(
            Delivery delivery, @Nullable Throwable failure, @Nullable Acknowledgment acknowledgment) {
        if (delivery instanceof Delivery.Redeliver redeliver) {
            throw new RedeliverException(redeliver.reason(), failure);
        }
        if (delivery instanceof Delivery.DeadLetter dead) {
            throw new DeadLetterException(dead.reason(), failure);
        }
        if (acknowledgment != null && ((Delivery.Acknowledge) delivery).duplicate()) {
            // The listener, which acknowledges in manual mode, was not called.
            acknowledgment.acknowledge();
        }
    }

    private static <T> @Nullable T first(Class<T> type, @Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (type.isInstance(argument)) {
                return type.cast(argument);
            }
        }
        return null;
    }
}
