package dev.semel.messaging;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.jms.JmsLetters;
import dev.semel.messaging.jms.JmsReceiver;
import dev.semel.messaging.jms.spring.InboxContainerFactory;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** What docs/how-to/messages.md shows of JMS; {@link MessagingPageTest} compares them. */
final class JmsSnippets {

    private final MessageHandler<Message> mailer = (message, attempt) -> {};

    void plain(SemelEngine semel, Connection connection) throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Inbox<Message> inbox = Inbox.of(semel, "mailer", JmsLetters::of).build();
        session.createConsumer(session.createQueue("orders"))
                .setMessageListener(JmsReceiver.in(session, message -> inbox.handle(message, mailer))
                        .deadLettersTo(session.createQueue("orders.dead")));
    }

    InboxContainerFactory<DefaultMessageListenerContainer> spring(
            SemelEngine semel, DefaultJmsListenerContainerFactory factory, Destination dead) {
        factory.setSessionTransacted(true);
        return new InboxContainerFactory<>(
                        factory, Inbox.of(semel, "mailer", JmsLetters::of).build())
                .deadLettersTo(dead);
    }
}
