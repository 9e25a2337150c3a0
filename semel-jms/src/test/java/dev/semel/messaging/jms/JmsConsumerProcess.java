package dev.semel.messaging.jms;

import dev.semel.messaging.RedeliveryPause;
import dev.semel.messaging.brokers.EffectConsumer;
import dev.semel.testsupport.servers.ArtemisBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.time.Duration;

/** A process that consumes a queue in two sessions, until it is killed. */
final class JmsConsumerProcess {

    private JmsConsumerProcess() {}

    public static void main(String[] arguments) throws Exception {
        EffectConsumer<Message> consumer =
                new EffectConsumer<>(arguments[2], JmsMessageIds::of, JmsConsumerProcess::intentOf);
        Connection connection =
                ArtemisBroker.connectionFactory(Integer.parseInt(arguments[0])).createConnection();
        for (int i = 0; i < 2; i++) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            session.createConsumer(session.createQueue(arguments[1]))
                    .setMessageListener(JmsReceiver.in(session, consumer::handle)
                            .pause(new RedeliveryPause(Duration.ofMillis(50))));
        }
        connection.start();
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static String intentOf(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
