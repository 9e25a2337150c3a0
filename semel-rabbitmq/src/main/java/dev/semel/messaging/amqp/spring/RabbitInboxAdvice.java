package dev.semel.messaging.amqp.spring;

import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.Message;

/**
 * Advice for the listeners of a container that makes them handle each message once.
 *
 * <ol>
 *   <li>A duplicate is acknowledged without calling the listener.
 *   <li>A message that must be redelivered is requeued, after a pause on the consumer's thread.
 *   <li>A dead letter is rejected: the broker moves it to the queue's dead-letter exchange.
 *   <li>A listener may reject or acknowledge a message itself, by Spring's exceptions for that.
 * </ol>
 *
 * <pre>{@code
 * factory.setAdviceChain(new RabbitInboxAdvice(Inbox.of(semel, "mailer", SpringAmqpMessageIds::of).build()));
 * }</pre>
 *
 * <p>The container must acknowledge (mode {@code AUTO}, the default). A batch listener is refused: its messages would fail
 * together.
 */
public final class RabbitInboxAdvice implements MethodInterceptor {

    /** Names of what containers wrap a listener's exception in: Spring AMQP 3 and 4 have it in different packages. */
    private static final Set<String> WRAPPERS = Set.of(
            "org.springframework.amqp.rabbit.support.ListenerExecutionFailedException",
            "org.springframework.amqp.listener.ListenerExecutionFailedException");

    private final Function<Message, Inbox<Message>> inboxes;
    private final RedeliveryPause pause;

    public RabbitInboxAdvice(Inbox<Message> inbox) {
        this(inbox, RedeliveryPause.DEFAULT);
    }

    public RabbitInboxAdvice(Inbox<Message> inbox, RedeliveryPause pause) {
        this(message -> inbox, pause);
    }

    private RabbitInboxAdvice(Function<Message, Inbox<Message>> inboxes, RedeliveryPause pause) {
        this.inboxes = inboxes;
        this.pause = pause;
    }

    /**
     * Advice with one inbox for each queue: a message that an exchange routes to two queues is handled once by the listeners
     * of each.
     *
     * @param inboxes creates the inbox of a queue
     */
    public static RabbitInboxAdvice perQueue(Function<String, Inbox<Message>> inboxes, RedeliveryPause pause) {
        Map<String, Inbox<Message>> byQueue = new ConcurrentHashMap<>();
        return new RabbitInboxAdvice(message -> byQueue.computeIfAbsent(queueOf(message), inboxes), pause);
    }

    private static String queueOf(Message message) {
        String queue = message.getMessageProperties().getConsumerQueue();
        if (queue == null) {
            throw new IllegalStateException("the message has no consumer queue: it was not delivered by a container");
        }
        return queue;
    }

    /** Holds what a listener threw. */
    private static final class Thrown {
        private @Nullable Throwable failure;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        Thrown thrown = new Thrown();
        Message received = messageOf(invocation);
        Delivery delivery = inboxes.apply(received).handle(received, (message, attempt) -> proceed(invocation, thrown));
        if (delivery instanceof Delivery.DeadLetter dead) {
            throw new AmqpRejectAndDontRequeueException(dead.reason(), thrown.failure);
        }
        if (delivery instanceof Delivery.Redeliver again) {
            if (thrown.failure instanceof AmqpRejectAndDontRequeueException rejection) {
                throw rejection;
            }
            pause.await();
            throw thrown.failure == null
                    ? new ImmediateRequeueAmqpException(again.reason())
                    : new ImmediateRequeueAmqpException(again.reason(), thrown.failure);
        }
        return null;
    }

    private static Message messageOf(MethodInvocation invocation) {
        return Arrays.stream(invocation.getArguments())
                .filter(Message.class::isInstance)
                .map(Message.class::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the listener takes batches, but RabbitInboxAdvice is for listeners of single messages: "
                                + invocation.getMethod()));
    }

    private static void proceed(MethodInvocation invocation, Thrown thrown) throws Exception {
        try {
            invocation.proceed();
        } catch (Throwable failure) {
            Throwable cause = causeOf(failure);
            if (cause instanceof ImmediateAcknowledgeAmqpException) {
                return;
            }
            thrown.failure = cause;
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof Exception exception ? exception : new IllegalStateException(cause);
        }
    }

    /** The operation's policy classifies what the listener threw, not the container's wrapper. */
    private static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return WRAPPERS.contains(failure.getClass().getName()) && cause != null ? cause : failure;
    }
}
