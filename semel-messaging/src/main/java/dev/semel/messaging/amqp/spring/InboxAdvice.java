package dev.semel.messaging.amqp.spring;

import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * Advice for the listeners of a container, which then handle each message once.
 *
 * <ol>
 *   <li>A duplicate does not reach the listener, and is acknowledged.
 *   <li>A message that has to come again is requeued, after a pause on the consumer's thread.
 *   <li>A dead letter is rejected: it goes to the queue's dead-letter exchange.
 *   <li>A listener that rejects a message itself, or acknowledges it by an exception, is obeyed.
 * </ol>
 *
 * <pre>{@code
 * factory.setAdviceChain(new InboxAdvice(Inbox.of(semel, "mailer", SpringAmqpLetters::of).build()));
 * }</pre>
 *
 * <p>The container acknowledges (mode {@code AUTO}, the default). A listener of whole batches is refused: its messages
 * would fail together.
 */
public final class InboxAdvice implements MethodInterceptor {

    private final Inbox<Message> inbox;
    private final RedeliveryPause pause;

    public InboxAdvice(Inbox<Message> inbox) {
        this(inbox, RedeliveryPause.DEFAULT);
    }

    public InboxAdvice(Inbox<Message> inbox, RedeliveryPause pause) {
        this.inbox = inbox;
        this.pause = pause;
    }

    /** What a listener has thrown, if anything. */
    private static final class Thrown {
        private @Nullable Throwable failure;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        Thrown thrown = new Thrown();
        Delivery delivery = inbox.handle(messageOf(invocation), (message, attempt) -> proceed(invocation, thrown));
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
                        "an inbox advises listeners of single messages, not of batches: " + invocation.getMethod()));
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

    /** The operation's policy judges by what the listener threw, not by what the container made of it. */
    private static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof ListenerExecutionFailedException && cause != null ? cause : failure;
    }
}
