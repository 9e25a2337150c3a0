package dev.semel.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.messaging.TestDatabases;
import dev.semel.messaging.brokers.EffectTable;
import dev.semel.messaging.kafka.ConsumingProcess.Mode;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Members of a group in separate processes, killed while they handle messages, with effects that only the inbox keeps from
 * happening twice.
 *
 * <p>By default 400 messages; {@code -Dsemel.kafka.messages=20000} makes it the long run of docs/evidence/brokers.md.
 */
@DisplayName("Kafka consumers under kill -9")
@Timeout(1200)
class KafkaKillIT {

    private static final int MESSAGES = Integer.getInteger("semel.kafka.messages", 400);

    /** Each kill costs a lease and a settle window, in which a partition waits. */
    private static final int KILLS = Math.max(1, MESSAGES / 1_500);

    /** Kafka's default of 500, but small enough that a killed member has not claimed everything. */
    private static final int BATCH = Math.min(500, MESSAGES / 8);

    private static final int PARTITIONS = 6;
    private static final int MEMBERS = 2;
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Longer than a statement of a killed process can run, and than a live process can pause. */
    private static final ReconcilePolicy POLICY = ReconcilePolicy.DEFAULT
            .settleWindow(Duration.ofSeconds(8))
            .firstDelay(Duration.ofMillis(500))
            .longestDelay(Duration.ofMillis(500))
            .maxTries(200);

    private final Map<String, Integer> events = new ConcurrentHashMap<>();
    private final Deque<ConsumingProcess> members = new ArrayDeque<>();
    private StoreUri.Postgresql database;
    private HikariDataSource dataSource;
    private EffectTable effects;
    private SemelEngine semel;
    private Reconciler reconciler;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabases.newDatabase();
        TestDatabases.execute(database, EffectTable.DDL);
        dataSource = TestDatabases.pool(database);
        effects = new EffectTable(dataSource);
        semel = SemelEngine.on(new PostgresStore(dataSource))
                .listener(event -> events.merge(event.getClass().getSimpleName(), 1, Integer::sum))
                .build();
        reconciler = Reconciler.of(semel.unknownOutcomes())
                .resolve(ConsumingProcess.CONSUME, effects::resolve, POLICY)
                .every(Duration.ofMillis(200))
                .batch(500)
                .start();
    }

    @AfterEach
    void close() throws Exception {
        for (ConsumingProcess member : members) {
            member.close();
        }
        reconciler.close();
        semel.close();
        dataSource.close();
    }

    private void join(Mode mode, String topic) throws Exception {
        members.add(ConsumingProcess.start(mode, topic, database, BATCH));
    }

    private void awaitEndOf(String topic, int partitions) {
        awaitWithMembers(Duration.ofMillis(200), () -> KafkaServer.lag("group-of-" + topic, topic, partitions) == 0);
    }

    /** A member that ends without being killed fails the test at once. */
    private void awaitWithMembers(Duration every, Callable<Boolean> condition) {
        await().atMost(LONG)
                .pollInterval(every)
                .failFast("a member has ended", () -> members.stream().anyMatch(ConsumingProcess::hasEnded))
                .until(condition);
    }

    @Test
    void leave_an_unknown_outcome_that_the_row_settles_when_they_end_before_it_is_recorded() throws Exception {
        endsItself(Mode.HALT_AFTER_EFFECT);
        assertThat(events).containsEntry("Reconciled", 1);
    }

    @Test
    void leave_a_handled_message_when_they_end_before_the_offset_is_committed() throws Exception {
        endsItself(Mode.HALT_AFTER_RECORD);
        assertThat(events).doesNotContainKey("Reconciled");
    }

    private void endsItself(Mode mode) throws Exception {
        String topic = KafkaServer.newTopic(1);
        KafkaServer.send(topic, 0, "m1", "m1");
        KafkaServer.flush();
        join(mode, topic);
        ConsumingProcess ended = members.remove();
        await().atMost(LONG).until(ended::hasEnded);
        assertThat(KafkaServer.lag("group-of-" + topic, topic, 1)).isEqualTo(1);
        KafkaServer.send(topic, 0, "m2", "m2");
        KafkaServer.flush();
        join(Mode.TOGETHER, topic);
        awaitEndOf(topic, 1);
        assertThat(effects.rows()).isEqualTo(2);
        assertThat(effects.intents()).isEqualTo(2);
    }

    @Test
    void handle_each_message_once_in_batches_with_the_effects_as_evidence() throws Exception {
        torture(Mode.TOGETHER);
    }

    @Test
    void handle_each_message_once_in_transactions() throws Exception {
        torture(Mode.IN_TRANSACTION);
    }

    private void torture(Mode mode) throws Exception {
        long start = System.nanoTime();
        String topic = KafkaServer.newTopic(PARTITIONS);
        int sent = sendAll(topic);
        for (int member = 0; member < MEMBERS; member++) {
            join(mode, topic);
        }
        for (int kill = 1; kill <= KILLS; kill++) {
            long enough = (long) MESSAGES * kill / (KILLS + 1);
            awaitWithMembers(Duration.ofMillis(20), () -> effects.rows() >= enough);
            members.remove().kill();
            join(mode, topic);
        }
        awaitEndOf(topic, PARTITIONS);

        System.out.printf(
                "%s: %,d records with %,d intents, %d kills, %.1f s, %s%n",
                mode, sent, MESSAGES, KILLS, (System.nanoTime() - start) / 1e9, new TreeMap<>(events));
        assertThat(KafkaServer.read(topic + DeadLetterTopic.SUFFIX)).isEmpty();
        assertThat(effects.intents()).as("distinct intents with an effect").isEqualTo(MESSAGES);
        assertThat(effects.rows()).as("effects").isEqualTo(MESSAGES);
    }

    /** A tenth of them twice, the second copy at any later time and in any partition. */
    private static int sendAll(String topic) throws Exception {
        Random random = new Random(7);
        int sent = 0;
        for (int i = 0; i < MESSAGES; i++) {
            send(topic, random.nextInt(PARTITIONS), i);
            sent++;
            if (i % 10 == 9) {
                send(topic, random.nextInt(PARTITIONS), i - random.nextInt(Math.min(i, 1_000)));
                sent++;
            }
        }
        KafkaServer.flush();
        return sent;
    }

    private static void send(String topic, int partition, int intent) {
        KafkaServer.send(topic, partition, "intent-" + intent, "intent-" + intent);
    }
}
