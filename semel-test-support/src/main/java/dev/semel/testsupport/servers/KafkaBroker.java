package dev.semel.testsupport.servers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A Kafka broker in this JVM, on a free port of loopback. */
public final class KafkaBroker implements AutoCloseable {

    /** For one broker; a killed member is noticed soon, and a new group does not wait for more members. */
    private static final Map<String, String> SETTINGS = Map.of(
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "group.min.session.timeout.ms", "500",
            "group.initial.rebalance.delay.ms", "0");

    private final EmbeddedKafkaKraftBroker broker;

    private KafkaBroker(EmbeddedKafkaKraftBroker broker) {
        this.broker = broker;
    }

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final KafkaBroker BROKER = start();

        private static KafkaBroker start() {
            KafkaBroker broker = KafkaBroker.start(Map.of());
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
            return broker;
        }
    }

    /** The broker that all tests of this JVM share. */
    public static KafkaBroker shared() {
        return Shared.BROKER;
    }

    /**
     * Starts a broker. The one place that does.
     *
     * @param settings of the broker, which replace those of this class
     */
    public static KafkaBroker start(Map<String, String> settings) {
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
        Map<String, String> all = new LinkedHashMap<>(SETTINGS);
        all.putAll(settings);
        all.forEach(broker::brokerProperty);
        broker.afterPropertiesSet();
        return new KafkaBroker(broker);
    }

    /** The value of {@code bootstrap.servers}. */
    public String servers() {
        return broker.getBrokersAsString();
    }

    /**
     * Creates a topic, and returns when records can be written to all of its partitions.
     *
     * <p>The metadata names leaders before the broker has created the partitions. If the first batch of an idempotent producer
     * is refused for that and a later one is accepted, the first is refused until it expires (KAFKA-14359, KAFKA-15591).
     */
    public void createTopic(String name, int partitions) {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("topic " + name + " was not created: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while topic " + name + " was created", e);
        }
        awaitPartitions(name, partitions);
    }

    /** Returns when the broker has created all partitions of a topic. */
    public void awaitPartitions(String name, int partitions) {
        Map<TopicPartition, OffsetSpec> latest = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(name, partition), partition -> OffsetSpec.latest()));
        try (Admin admin = admin()) {
            Await.until("the partitions of topic " + name, () -> hasOffsets(admin, latest));
        }
    }

    private static boolean hasOffsets(Admin admin, Map<TopicPartition, OffsetSpec> partitions)
            throws InterruptedException, ExecutionException {
        try {
            return admin.listOffsets(partitions).all().get().size() == partitions.size();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return false;
            }
            throw e;
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", servers()));
    }

    @Override
    public void close() {
        broker.destroy();
    }
}
