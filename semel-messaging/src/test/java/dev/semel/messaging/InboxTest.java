package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.testkit.FaultyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

        Letter letter() {
            return Letter.of(id, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static final Delivery HANDLED = new Delivery.Acknowledge(false);
    private static final Delivery DUPLICATE = new Delivery.Acknowledge(true);

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final List<String> effects = new ArrayList<>();
    private final Inbox<Message> inbox =
            Inbox.of(semel, "mailer", Message::letter).mostAttempts(3).build();

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
    void handles_a_message_once_and_acknowledges_it_when_it_comes_again() {
        Message message = new Message("m1", "hello");
        assertThat(deliver(message)).isEqualTo(HANDLED);
        assertThat(deliver(message)).isEqualTo(DUPLICATE);
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void takes_the_same_content_without_an_id_for_the_same_message_also_with_its_fields_in_another_order() {
        assertThat(deliver(new Message("", "{\"a\":1,\"b\":2}"))).isEqualTo(HANDLED);
        assertThat(deliver(new Message("", "{\"b\":2,\"a\":1}"))).isEqualTo(DUPLICATE);
        assertThat(deliver(new Message("", "{\"b\":3,\"a\":1}"))).isEqualTo(HANDLED);
    }

    @Test
    void takes_json_that_is_too_deep_to_read_by_its_bytes() {
        Message message = new Message("m1", "[".repeat(5_000));
        assertThat(deliver(message)).isEqualTo(HANDLED);
        assertThat(deliver(message)).isEqualTo(DUPLICATE);
        assertThat(deliver(new Message("m1", "[".repeat(5_001)))).isInstanceOf(Delivery.DeadLetter.class);
    }

    @Test
    void lets_a_duplicate_of_one_that_is_being_handled_come_again_or_wait() throws Exception {
        Message message = new Message("m1", "hello");
        Inbox<Message> patient = Inbox.of(semel, "mailer", Message::letter)
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
    void gives_up_a_message_whose_id_was_used_for_another_content() {
        deliver(new Message("m1", "hello"));
        assertThat(deliver(new Message("m1", "something else")))
                .isEqualTo(new Delivery.DeadLetter("id_reused_with_different_content"));
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void gives_up_a_message_whose_id_cannot_be_one() {
        assertThat(deliver(new Message("x".repeat(300), "hello"))).isEqualTo(new Delivery.DeadLetter("id_invalid"));
        assertThat(effects).isEmpty();
    }

    @Test
    void gives_up_a_message_whose_id_is_missing_or_was_no_text() {
        Inbox<Message> byId = Inbox.of(semel, "by-id", (Message message) -> Letter.withId(message.id(), new byte[0]))
                .build();
        for (Message message : List.of(new Message(null, "a"), new Message("", "b"), new Message("\uFFFD", "c"))) {
            assertThat(byId.handle(message, (delivered, attempt) -> effect(delivered)))
                    .isEqualTo(new Delivery.DeadLetter("id_invalid"));
        }
        assertThat(effects).isEmpty();
    }

    @Test
    void lets_a_message_that_could_not_be_told_apart_come_again_before_those_behind_it_and_handles_the_others() {
        Inbox<Message> faulty = Inbox.of(semel, "faulty", (Message message) -> {
                    if (message.text().equals("unreadable")) {
                        throw new IllegalStateException("the connection was lost");
                    }
                    return message.letter();
                })
                .build();
        List<Delivery> deliveries = faulty.handleAll(
                List.of(new Message("a1", "unreadable", 0), new Message("a2", "a2", 0), new Message("b1", "b1", 1)),
                Message::partition,
                (message, attempt) -> effect(message));
        assertThat(deliveries)
                .containsExactly(
                        new Delivery.Redeliver("not_told_apart"), new Delivery.Redeliver("behind_another"), HANDLED);
        assertThat(effects).containsExactly("b1");
    }

    @Test
    void keeps_groups_apart() {
        Message message = new Message("m1", "hello");
        deliver(message);
        Inbox<Message> other = Inbox.of(semel, "billing", Message::letter).build();
        assertThat(other.handle(message, (delivered, attempt) -> effect(delivered)))
                .isEqualTo(HANDLED);
    }

    @Test
    void releases_a_message_whose_handler_fails_and_handles_it_when_it_comes_again() {
        Message message = new Message("m1", "hello");
        assertThat(inbox.handle(message, (delivered, attempt) -> {
                    throw new IllegalStateException("no mail server");
                }))
                .isEqualTo(new Delivery.Redeliver("handler_failed"));
        assertThat(deliver(message)).isEqualTo(HANDLED);
    }

    @Test
    void gives_up_a_poison_message_after_so_many_attempts_says_why_and_says_it_again() {
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
    void lets_a_message_come_again_whose_outcome_nobody_knows_and_does_not_handle_it_meanwhile() {
        Message message = new Message("m1", "hello");
        assertThat(inbox.handle(message, (delivered, attempt) -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(deliver(message)).isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(effects).isEmpty();
    }

    @Test
    void believes_a_handler_that_says_that_nothing_happened_whatever_the_policy() {
        Inbox<Message> cautious = Inbox.of(semel, "cautious", Message::letter)
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
    void leaves_a_duplicate_of_a_message_that_is_being_handled_to_be_delivered_again() throws Exception {
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
    void handles_nothing_while_the_store_cannot_be_asked() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        Message message = new Message("m1", "hello");
        assertThat(deliver(message)).isEqualTo(new Delivery.Redeliver("store_unavailable"));
        assertThat(effects).isEmpty();
        assertThat(deliver(message)).isEqualTo(HANDLED);
    }

    @Test
    void stands_still_behind_a_message_that_has_to_come_again_in_its_lane_only() {
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
    void handles_a_message_that_is_in_a_batch_twice_once_and_gives_up_one_that_only_pretends_to_be_it() {
        List<Delivery> deliveries = inbox.handleAll(
                List.of(new Message("m1", "hello"), new Message("m1", "hello"), new Message("m1", "other")),
                Message::partition,
                (message, attempt) -> effect(message));
        assertThat(deliveries)
                .containsExactly(HANDLED, DUPLICATE, new Delivery.DeadLetter("id_reused_with_different_content"));
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void does_not_count_as_attempts_what_was_only_given_back_behind_another() {
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
    void stands_still_behind_a_duplicate_of_a_message_that_has_to_come_again() {
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
    void begins_nothing_more_once_it_is_interrupted() {
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
    void stands_still_also_behind_a_message_whose_handler_says_itself_that_nothing_happened() {
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
