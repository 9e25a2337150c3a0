package dev.semel.messaging.kafka;

import static dev.semel.messaging.kafka.KafkaServer.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageIdentity;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A Kafka consumer with an inbox")
@Timeout(300)
class KafkaInboxIT {

    private static final Duration LONG = Duration.ofMinutes(4);

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final AtomicInteger refusals = new AtomicInteger();
    private final SemelEngine semel = SemelEngine.on(store)
            .listener(event -> {
                if (event instanceof Event.RefusedInProgress) {
                    refusals.incrementAndGet();
                }
            })
            .build();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final List<KafkaInbox> members = new ArrayList<>();

    @AfterEach
    void close() {
        members.forEach(KafkaInbox::close);
        semel.close();
    }

    private void effect(ConsumerRecord<byte[], byte[]> message) {
        effects.add(text(message.value()));
    }

    private KafkaInbox join(String topic, MessageHandler<ConsumerRecord<byte[], byte[]>> handler) {
        KafkaInbox member = KafkaInbox.of(semel, KafkaServer.consumer("group-of-" + topic))
                .topics(topic)
                .maxAttempts(3)
                .handler(handler)
                .build();
        members.add(member);
        new Thread(member, "member-" + members.size()).start();
        return member;
    }

    private static void awaitCommitted(String topic, int partitions) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(KafkaServer.lag("group-of-" + topic, topic, partitions))
                        .isZero());
    }

    @Test
    void handles_a_message_once_that_was_sent_to_two_partitions() throws Exception {
        String topic = KafkaServer.newTopic(2);
        KafkaServer.send(topic, 0, "m1", "hello");
        KafkaServer.send(topic, 0, "m1", "hello");
        KafkaServer.send(topic, 1, "m1", "hello");
        KafkaServer.send(topic, 1, "m2", "world");
        KafkaServer.flush();
        join(topic, (message, attempt) -> effect(message));
        awaitCommitted(topic, 2);
        assertThat(effects).containsExactlyInAnyOrder("hello", "world");
        assertThat(KafkaServer.read(topic + ".DLT")).isEmpty();
    }

    @Test
    void sends_a_poison_message_unchanged_to_the_dead_letters_after_the_last_attempt_with_the_reason()
            throws Exception {
        String topic = KafkaServer.newTopic(1);
        KafkaServer.send(topic, 0, "m1", "first");
        KafkaServer.send(topic, 0, "m2", "poison");
        KafkaServer.send(topic, 0, "m3", "last");
        KafkaServer.flush();
        List<Integer> attempts = new CopyOnWriteArrayList<>();
        join(topic, (message, attempt) -> {
            if (text(message.value()).equals("poison")) {
                attempts.add(attempt.number());
                throw new IllegalStateException("cannot be parsed");
            }
            effect(message);
        });
        awaitCommitted(topic, 1);
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(effects).containsExactly("first", "last");
        ConsumerRecord<byte[], byte[]> dead = KafkaServer.read(topic + ".DLT").get(0);
        assertThat(text(dead.key())).isEqualTo("key-m2");
        assertThat(text(dead.value())).isEqualTo("poison");
        Map<String, String> headers = new HashMap<>();
        dead.headers().forEach(header -> headers.put(header.key(), text(header.value())));
        assertThat(headers)
                .containsEntry("idempotency-key", "m2")
                .containsEntry(DeadLetterTopic.REASON, "IllegalStateException: cannot be parsed")
                .containsEntry(DeadLetterTopic.GROUP, "group-of-" + topic)
                .containsEntry(DeadLetterTopic.TOPIC, topic)
                .containsEntry(DeadLetterTopic.PARTITION, "0")
                .containsEntry(DeadLetterTopic.OFFSET, "1");
    }

    @Test
    void dead_letters_a_message_without_an_id_and_one_with_a_used_id() throws Exception {
        String topic = KafkaServer.newTopic(1);
        KafkaServer.send(topic, 0, "m1", "hello");
        KafkaServer.send(topic, 0, "m1", "something else");
        var anonymous = KafkaServer.message(topic, 0, "m3", "anonymous");
        anonymous.headers().remove(KafkaMessageIds.DEFAULT_HEADER);
        KafkaServer.send(anonymous);
        KafkaServer.flush();
        join(topic, (message, attempt) -> effect(message));
        awaitCommitted(topic, 1);
        assertThat(effects).containsExactly("hello");
        assertThat(KafkaServer.read(topic + ".DLT"))
                .extracting(message -> text(
                        message.headers().lastHeader(DeadLetterTopic.REASON).value()))
                .containsExactly("id_reused_with_different_content", "id_invalid");
    }

    @Test
    void retries_a_failed_message_before_later_ones_while_other_partitions_continue() throws Exception {
        String topic = KafkaServer.newTopic(2);
        CountDownLatch othersDone = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
            KafkaServer.send(topic, 0, "a" + i, "a" + i);
            KafkaServer.send(topic, 1, "b" + i, "b" + i);
        }
        KafkaServer.flush();
        Map<String, Integer> tries = new ConcurrentHashMap<>();
        join(topic, (message, attempt) -> {
            String text = text(message.value());
            if (text.startsWith("b")) {
                othersDone.countDown();
            } else if (text.endsWith("5") && tries.merge(text, 1, Integer::sum) <= 2) {
                throw new IllegalStateException("not yet");
            }
            effect(message);
        });
        assertThat(othersDone.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        awaitCommitted(topic, 2);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add("a" + i);
        }
        assertThat(effects.stream().filter(effect -> effect.startsWith("a"))).containsExactlyElementsOf(expected);
        assertThat(tries).containsEntry("a5", 3).containsEntry("a15", 3);
    }

    @Test
    void retries_a_duplicate_until_the_message_in_progress_is_settled() throws Exception {
        String topic = KafkaServer.newTopic(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        // Like a member that Kafka removed from the group and that is still running.
        Inbox<String> elsewhere = Inbox.of(
                        semel,
                        "group-of-" + topic,
                        (String id) -> MessageIdentity.withId(id, KafkaServer.bytes("hello")))
                .build();
        Thread handling = new Thread(() -> elsewhere.handle("m1", (id, attempt) -> {
            begun.countDown();
            finish.await();
            effects.add("elsewhere");
        }));
        handling.start();
        begun.await();
        KafkaServer.send(topic, 0, "m1", "hello");
        KafkaServer.send(topic, 0, "m2", "behind it");
        KafkaServer.flush();
        join(topic, (message, attempt) -> effect(message));
        await().atMost(LONG).until(() -> refusals.get() >= 2);
        assertThat(effects).isEmpty();
        finish.countDown();
        handling.join();
        awaitCommitted(topic, 1);
        assertThat(effects).containsExactly("elsewhere", "behind it");
    }

    @Test
    void handles_nothing_while_the_store_is_unavailable_and_everything_afterwards() throws Exception {
        String topic = KafkaServer.newTopic(1);
        KafkaServer.send(topic, 0, "m1", "hello");
        KafkaServer.send(topic, 0, "m2", "world");
        KafkaServer.flush();
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        join(topic, (message, attempt) -> effect(message));
        awaitCommitted(topic, 1);
        assertThat(effects).containsExactly("hello", "world");
    }

    @Test
    void handles_each_message_once_during_rebalances() throws Exception {
        String topic = KafkaServer.newTopic(4);
        int messages = 800;
        for (int i = 0; i < messages; i++) {
            KafkaServer.send(topic, i % 4, "m" + i, "m" + i);
        }
        KafkaServer.flush();
        Map<String, Object> few = new HashMap<>(KafkaServer.consumer("group-of-" + topic));
        few.put("max.poll.records", 20);
        for (int i = 0; i < 3; i++) {
            int done = effects.size();
            KafkaInbox member = KafkaInbox.of(semel, few)
                    .topics(topic)
                    .handler((message, attempt) -> effect(message))
                    .build();
            members.add(member);
            new Thread(member, "member-" + i).start();
            await().atMost(LONG).until(() -> effects.size() > Math.min(done + 100, messages - 1));
            if (i == 1) {
                members.get(0).close();
            }
        }
        awaitCommitted(topic, 4);
        assertThat(effects).hasSize(messages).doesNotHaveDuplicates();
    }
}
