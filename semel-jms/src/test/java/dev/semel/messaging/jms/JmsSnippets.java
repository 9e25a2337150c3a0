package dev.semel.messaging.jms;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.jms.spring.JmsInboxContainerFactory;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** The JMS snippets of docs/how-to/messages.md; {@code MessagingPageTest} of semel-messaging compares them. */
final class JmsSnippets {

    private final MessageHandler<Message> mailer = (message, attempt) -> {};

    void plain(SemelEngine semel, Connection connection) throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Inbox<Message> inbox = Inbox.of(semel, "mailer", JmsMessageIds::of).build();
        session.createConsumer(session.createQueue("orders"))
                .setMessageListener(JmsReceiver.in(session, message -> inbox.handle(message, mailer))
                        .deadLettersTo(session.createQueue("orders.dead")));
    }

    JmsInboxContainerFactory<DefaultMessageListenerContainer> spring(
            SemelEngine semel, DefaultJmsListenerContainerFactory factory, Destination dead) {
        factory.setSessionTransacted(true);
        return new JmsInboxContainerFactory<>(
                        factory, Inbox.of(semel, "mailer", JmsMessageIds::of).build())
                .deadLettersTo(dead);
    }
}
