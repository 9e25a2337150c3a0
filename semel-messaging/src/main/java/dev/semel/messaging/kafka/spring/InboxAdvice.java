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
 * Goes around a listener of single records: a record that was handled before does not reach it.
 *
 * <ol>
 *   <li>A duplicate is acknowledged, and the listener is not called.
 *   <li>What has to come again ends in a {@link RedeliverException}, what cannot be handled in a
 *       {@link DeadLetterException}. {@link InboxErrorHandlers} knows what to do with them.
 * </ol>
 *
 * <p>It is for the listeners of a container factory, whatever their parameters are:
 *
 * <pre>{@code
 * factory.getContainerProperties().setAdviceChain(new InboxAdvice(inbox));
 * }</pre>
 */
public final class InboxAdvice implements MethodInterceptor {

    private final Inbox<ConsumerRecord<?, ?>> inbox;

    public InboxAdvice(Inbox<ConsumerRecord<?, ?>> inbox) {
        this.inbox = inbox;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        @Nullable Object[] arguments = invocation.getArguments();
        ConsumerRecord<?, ?> message = first(ConsumerRecord.class, arguments);
        if (message == null) {
            if (invocation.getMethod().getName().equals("onMessage")) {
                throw new IllegalStateException(
                        "an InboxAdvice is for listeners of single records; for batches there is InboxBatchListener");
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
            // The listener that would have done it is not called.
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
