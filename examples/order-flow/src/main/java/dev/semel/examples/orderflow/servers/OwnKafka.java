package dev.semel.examples.orderflow.servers;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A Kafka broker that ends with this process. */
public final class OwnKafka implements AutoCloseable {

    private final EmbeddedKafkaKraftBroker broker;

    private OwnKafka(EmbeddedKafkaKraftBroker broker) {
        this.broker = broker;
    }

    /** Starts a broker with these topics, each of one partition. */
    public static OwnKafka start(String... topics) {
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1, topics);
        // There is one broker, and a group does not wait for more members.
        broker.brokerProperty("transaction.state.log.replication.factor", "1");
        broker.brokerProperty("transaction.state.log.min.isr", "1");
        broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
        broker.afterPropertiesSet();
        return new OwnKafka(broker);
    }

    public String servers() {
        return broker.getBrokersAsString();
    }

    @Override
    public void close() {
        broker.destroy();
    }
}
