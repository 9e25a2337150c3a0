package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An inbox")
class InboxTest {

    private record Message(@Nullable String id, String text, int partition) {

        Message(@Nullable String id, String text) {
            this(id, text, 0);
        }

        MessageIdentity identity() {
            return MessageIdentity.of(id, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static final Delivery HANDLED = new Delivery.Acknowledge(false);
    private static final Delivery DUPLICATE = new Delivery.Acknowledge(true);

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final List<String> effects = new ArrayList<>();
    private final Inbox<Message> inbox =
            Inbox.of(semel, "mailer", Message::identity).maxAttempts(3).build();

    @AfterEach
    void close() {
        semel.close();
    }

    private void effect(Message message) {
        effects.add(message.text());
    }

    private Delivery deliver(Message message) {
        return inbox.handle(message, (delivered, attempt) -> effect(delivered));
    }

    @Test
    void handles_a_message_once_and_acknowledges_its_redelivery() {
        Message message = new Message("m1", "hello");
        assertThat(deliver(message)).isEqualTo(HANDLED);
        assertThat(deliver(message)).isEqualTo(DUPLICATE);
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void identifies_messages_without_id_by_content_in_any_order_of_fields() {
        assertThat(deliver(new Message("", "{\"a\":1,\"b\":2}"))).isEqualTo(HANDLED);
        assertThat(deliver(new Message("", "{\"b\":2,\"a\":1}"))).isEqualTo(DUPLICATE);
        assertThat(deliver(new Message("", "{\"b\":3,\"a\":1}"))).isEqualTo(HANDLED);
    }

    @Test
    void identifies_json_that_is_too_deep_by_its_bytes() {
        Message message = new Message("m1", "[".repeat(5_000));
        assertThat(deliver(message)).isEqualTo(HANDLED);
        assertThat(deliver(message)).isEqualTo(DUPLICATE);
        assertThat(deliver(new Message("m1", "[".repeat(5_001)))).isInstanceOf(Delivery.DeadLetter.class);
    }

    @Test
    void dead_letters_a_message_that_was_sent_before_the_retention_or_in_the_future() {
        Instant now = Instant.now();
        assertThat(deliveredWith(now.minus(Duration.ofDays(8)))).isEqualTo(new Delivery.DeadLetter("id_expired"));
        assertThat(deliveredWith(now.plus(Duration.ofDays(1)))).isEqualTo(new Delivery.DeadLetter("id_from_future"));
        assertThat(effects).isEmpty();
        assertThat(deliveredWith(now.minus(Duration.ofDays(6)))).isEqualTo(HANDLED);
    }

    private Delivery deliveredWith(Instant sentAt) {
        return Inbox.of(semel, "mailer", (Message message) -> message.identity().sentAt(sentAt))
                .build()
                .handle(new Message("m1", "hello"), (delivered, attempt) -> effect(delivered));
    }

    @Test
    void handles_a_message_that_has_waited_in_its_queue_for_longer_than_the_retention() {
        String id = new UUID(Instant.now().minus(Duration.ofDays(30)).toEpochMilli() << 16 | 0x7000, Long.MIN_VALUE)
                .toString();
        assertThat(deliver(new Message(id, "hello"))).isEqualTo(HANDLED);
    }

    @Test
    void redelivers_a_duplicate_of_a_message_in_progress_or_lets_it_wait() throws Exception {
        Message message = new Message("m1", "hello");
        Inbox<Message> patient = Inbox.of(semel, "mailer", Message::identity)
                .operation(Operation.named("consume").waitUpTo(Duration.ofMinutes(1)))
                .build();
        AtomicReference<Delivery> waited = new AtomicReference<>();
        Thread waiting = new Thread(() ->
                waited.set(patient.handle(message, (delivered, attempt) -> effect(new Message("m1", "twice")))));
        Delivery handled = patient.handle(message, (delivered, attempt) -> {
            assertThat(deliver(message)).isInstanceOf(Delivery.Redeliver.class);
            waiting.start();
            Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
            effect(delivered);
        });
        waiting.join();
        assertThat(handled).isEqualTo(HANDLED);
        assertThat(waited).hasValue(DUPLICATE);
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void dead_letters_a_message_whose_id_was_used_with_other_content() {
        deliver(new Message("m1", "hello"));
        assertThat(deliver(new Message("m1", "something else")))
                .isEqualTo(new Delivery.DeadLetter("id_reused_with_different_content"));
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void dead_letters_a_message_with_an_invalid_id() {
        assertThat(deliver(new Message("x".repeat(300), "hello"))).isEqualTo(new Delivery.DeadLetter("id_invalid"));
        assertThat(effects).isEmpty();
    }

    @Test
    void dead_letters_a_message_whose_id_is_missing_or_not_text() {
        Inbox<Message> byId = Inbox.of(
                        semel, "by-id", (Message message) -> MessageIdentity.withId(message.id(), new byte[0]))
                .build();
        for (Message message : List.of(new Message(null, "a"), new Message("", "b"), new Message("\uFFFD", "c"))) {
            assertThat(byId.handle(message, (delivered, attempt) -> effect(delivered)))
                    .isEqualTo(new Delivery.DeadLetter("id_invalid"));
        }
        assertThat(effects).isEmpty();
    }

    @Test
    void redelivers_an_unidentified_message_before_later_ones_of_its_lane_and_handles_other_lanes() {
        Inbox<Message> faulty = Inbox.of(semel, "faulty", (Message message) -> {
                    if (message.text().equals("unreadable")) {
                        throw new IllegalStateException("the connection was lost");
                    }
                    return message.identity();
                })
                .build();
        List<Delivery> deliveries = faulty.handleAll(
                List.of(new Message("a1", "unreadable", 0), new Message("a2", "a2", 0), new Message("b1", "b1", 1)),
                Message::partition,
                (message, attempt) -> effect(message));
        assertThat(deliveries)
                .containsExactly(
                        new Delivery.Redeliver("message_id_unresolvable"),
                        new Delivery.Redeliver("behind_another"),
                        HANDLED);
        assertThat(effects).containsExactly("b1");
    }

    @Test
    void separates_the_ids_of_groups() {
        Message message = new Message("m1", "hello");
        deliver(message);
        Inbox<Message> other = Inbox.of(semel, "billing", Message::identity).build();
        assertThat(other.handle(message, (delivered, attempt) -> effect(delivered)))
                .isEqualTo(HANDLED);
    }

    @Test
    void releases_a_message_whose_handler_fails_and_handles_its_redelivery() {
        Message message = new Message("m1", "hello");
        assertThat(inbox.handle(message, (delivered, attempt) -> {
                    throw new IllegalStateException("no mail server");
                }))
                .isEqualTo(new Delivery.Redeliver("handler_failed"));
        assertThat(deliver(message)).isEqualTo(HANDLED);
    }

    @Test
    void dead_letters_a_poison_message_after_the_last_attempt_with_the_reason_also_on_redelivery() {
        Message message = new Message("m1", "hello");
        List<Integer> numbers = new ArrayList<>();
        MessageHandler<Message> poisoned = (delivered, attempt) -> {
            numbers.add(attempt.number());
            throw new IllegalStateException("cannot be parsed");
        };
        Delivery dead = new Delivery.DeadLetter("IllegalStateException: cannot be parsed");
        assertThat(inbox.handle(message, poisoned)).isInstanceOf(Delivery.Redeliver.class);
        assertThat(inbox.handle(message, poisoned)).isInstanceOf(Delivery.Redeliver.class);
        assertThat(inbox.handle(message, poisoned)).isEqualTo(dead);
        assertThat(inbox.handle(message, poisoned)).isEqualTo(dead);
        assertThat(numbers).containsExactly(1, 2, 3);
    }

    @Test
    void redelivers_a_message_with_an_unknown_outcome_without_handling_it() {
        Message message = new Message("m1", "hello");
        assertThat(inbox.handle(message, (delivered, attempt) -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(deliver(message)).isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(effects).isEmpty();
    }

    @Test
    void releases_a_message_whose_handler_declares_it_not_executed_under_any_policy() {
        Inbox<Message> cautious = Inbox.of(semel, "cautious", Message::identity)
                .operation(Operation.named("consume").failures(Failures.RECONCILE))
                .build();
        Message message = new Message("m1", "hello");
        assertThat(cautious.handle(message, (delivered, attempt) -> {
                    throw new NotExecutedException("closed");
                }))
                .isInstanceOf(Delivery.Redeliver.class);
        assertThat(cautious.handle(message, (delivered, attempt) -> effect(delivered)))
                .isEqualTo(HANDLED);
    }

    @Test
    void redelivers_a_duplicate_of_a_message_in_progress() throws Exception {
        Message message = new Message("m1", "hello");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        ExecutorService consumer = Executors.newSingleThreadExecutor();
        try {
            Future<Delivery> first = consumer.submit(() -> inbox.handle(message, (delivered, attempt) -> {
                begun.countDown();
                finish.await();
            }));
            begun.await();
            assertThat(deliver(message)).isEqualTo(new Delivery.Redeliver("in_progress"));
            finish.countDown();
            assertThat(first.get()).isEqualTo(HANDLED);
        } finally {
            consumer.shutdownNow();
        }
    }

    @Test
    void handles_nothing_while_the_store_is_unavailable() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        Message message = new Message("m1", "hello");
        assertThat(deliver(message)).isEqualTo(new Delivery.Redeliver("store_unavailable"));
        assertThat(effects).isEmpty();
        assertThat(deliver(message)).isEqualTo(HANDLED);
    }

    @Test
    void a_redelivered_message_blocks_its_own_lane_only() {
        List<Message> batch = List.of(
                new Message("a1", "a1", 0),
                new Message("b1", "b1", 1),
                new Message("a2", "a2 fails", 0),
                new Message("b2", "b2", 1),
                new Message("a3", "a3", 0));
        List<Delivery> deliveries = inbox.handleAll(batch, Message::partition, (message, attempt) -> {
            if (message.text().endsWith("fails")) {
                throw new IllegalStateException("once");
            }
            effect(message);
        });
        assertThat(deliveries)
                .containsExactly(
                        HANDLED,
                        HANDLED,
                        new Delivery.Redeliver("handler_failed"),
                        HANDLED,
                        new Delivery.Redeliver("behind_another"));
        assertThat(effects).containsExactly("a1", "b1", "b2");
        inbox.handleAll(batch, Message::partition, (message, attempt) -> effect(message));
        assertThat(effects).containsExactly("a1", "b1", "b2", "a2 fails", "a3");
    }

    @Test
    void handles_a_duplicate_within_a_batch_once_and_dead_letters_one_with_other_content() {
        List<Delivery> deliveries = inbox.handleAll(
                List.of(new Message("m1", "hello"), new Message("m1", "hello"), new Message("m1", "other")),
                Message::partition,
                (message, attempt) -> effect(message));
        assertThat(deliveries)
                .containsExactly(HANDLED, DUPLICATE, new Delivery.DeadLetter("id_reused_with_different_content"));
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void does_not_count_unstarted_grants_as_attempts() {
        List<Message> batch = List.of(new Message("a1", "poison"), new Message("a2", "fails once"));
        List<Delivery> last = List.of();
        for (int delivery = 1; delivery <= 3; delivery++) {
            last = inbox.handleAll(batch, Message::partition, (message, attempt) -> {
                throw new IllegalStateException(message.text());
            });
        }
        assertThat(last.get(0)).isInstanceOf(Delivery.DeadLetter.class);
        assertThat(last.get(1)).isEqualTo(new Delivery.Redeliver("handler_failed"));
        assertThat(deliver(batch.get(1))).isEqualTo(HANDLED);
    }

    @Test
    void a_duplicate_of_a_redelivered_message_blocks_its_lane() {
        List<Delivery> deliveries = inbox.handleAll(
                List.of(new Message("m1", "fails", 0), new Message("m1", "fails", 1), new Message("m2", "next", 1)),
                Message::partition,
                (message, attempt) -> {
                    if (message.text().equals("fails")) {
                        throw new IllegalStateException("once");
                    }
                    effect(message);
                });
        assertThat(deliveries).allSatisfy(delivery -> assertThat(delivery).isInstanceOf(Delivery.Redeliver.class));
        assertThat(effects).isEmpty();
    }

    @Test
    void starts_no_handler_after_an_interrupt() {
        List<Delivery> deliveries = inbox.handleAll(
                List.of(new Message("m1", "first", 0), new Message("m2", "second", 1)),
                Message::partition,
                (message, attempt) -> {
                    effect(message);
                    Thread.currentThread().interrupt();
                });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(deliveries).containsExactly(HANDLED, new Delivery.Redeliver("interrupted"));
        assertThat(effects).containsExactly("first");
    }

    @Test
    void a_message_that_its_handler_declares_not_executed_blocks_its_lane() {
        List<Delivery> deliveries = inbox.handleAll(
                List.of(new Message("a1", "a1"), new Message("a2", "a2")), Message::partition, (message, attempt) -> {
                    if (message.id().equals("a1")) {
                        attempt.notExecuted("closed");
                    } else {
                        effect(message);
                    }
                });
        assertThat(deliveries)
                .containsExactly(new Delivery.Redeliver("closed"), new Delivery.Redeliver("behind_another"));
        assertThat(effects).isEmpty();
    }
}
