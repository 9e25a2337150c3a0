package dev.semel.messaging.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.CountingStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A federation handler")
class FederationHandlerTest {

    private final ManualTime clock = new ManualTime();
    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final CountingStore counted = new CountingStore(store);
    private final SemelEngine semel = SemelEngine.on(counted).build();
    private final long atStart = counted.calls();
    private final List<String> effects = new ArrayList<>();
    private @Nullable Exception failure;
    private final FederationHandler handler = FederationHandler.of(semel, "bank-b")
            .clock(clock)
            .action("transfer", Operation.named("transfer"), (message, attempt) -> act(message))
            .action(
                    "retrying",
                    Operation.named("retrying").failures(Failures.RETRY),
                    (message, attempt) -> act(message))
            .action(
                    "doubting",
                    Operation.named("doubting").failures(Failures.RECONCILE),
                    (message, attempt) -> act(message))
            .action("declining", Operation.named("declining"), (message, attempt) -> {
                attempt.notExecuted("closed");
                return Payload.of("");
            })
            .build();

    @AfterEach
    void close() {
        semel.close();
    }

    private Payload act(FederationMessage message) throws Exception {
        effects.add(message.id());
        if (failure != null) {
            throw failure;
        }
        return Payload.of("done " + effects.size());
    }

    private FederationMessage message(String id, String from, String to, String action, String payload) {
        return new FederationMessage(id, from, to, action, Payload.of(payload), clock.instant());
    }

    private FederationMessage message(String action, String payload) {
        return message("m1", "bank-a", "bank-b", action, payload);
    }

    private static FederationReply later(FederationReply.Later.Wait why) {
        return new FederationReply.Later(why);
    }

    private static void assertDone(FederationReply reply, String result, boolean duplicate) {
        assertThat(reply).isEqualTo(new FederationReply.Done(Payload.of(result), duplicate));
    }

    private void assertRefused(FederationMessage message, FederationReply.Refused.Fault why) {
        assertThat(handler.handle(message)).isEqualTo(new FederationReply.Refused(why));
    }

    @Test
    void answers_a_duplicate_with_the_first_result_although_its_timestamp_differs() {
        assertDone(handler.handle(message("transfer", "{\"a\":1,\"b\":2}")), "done 1", false);
        clock.advance(Duration.ofHours(1));
        assertDone(handler.handle(message("transfer", "{\"b\":2,\"a\":1}")), "done 1", true);
        assertThat(effects).containsExactly("m1");
    }

    @Test
    void separates_the_ids_of_senders() {
        assertDone(handler.handle(message("m1", "bank-a", "bank-b", "transfer", "1")), "done 1", false);
        assertDone(handler.handle(message("m1", "bank-c", "bank-b", "transfer", "2")), "done 2", false);
    }

    @Test
    void refuses_wrong_recipient_stale_and_unknown_messages_without_calling_the_store() {
        assertRefused(
                message("m1", "bank-a", "bank-c", "transfer", "1"), FederationReply.Refused.Fault.WRONG_RECIPIENT);
        FederationMessage sent = message("transfer", "1");
        clock.advance(Duration.ofSeconds(301));
        assertRefused(sent, FederationReply.Refused.Fault.STALE);
        assertRefused(
                new FederationMessage(
                        "m1",
                        "bank-a",
                        "bank-b",
                        "transfer",
                        Payload.of(""),
                        clock.instant().plusSeconds(301)),
                FederationReply.Refused.Fault.STALE);
        assertRefused(message("destroy", "1"), FederationReply.Refused.Fault.UNKNOWN_ACTION);
        assertRefused(message("", "bank-a", "bank-b", "transfer", "1"), FederationReply.Refused.Fault.INVALID);
        assertRefused(message("m1", "", "bank-b", "transfer", "1"), FederationReply.Refused.Fault.INVALID);
        assertRefused(message("transfer", "[".repeat(1000)), FederationReply.Refused.Fault.INVALID);
        assertThat(counted.calls()).isEqualTo(atStart);
    }

    @Test
    void refuses_an_id_that_was_used_for_another_payload_or_action() {
        handler.handle(message("transfer", "1"));
        assertRefused(message("transfer", "2"), FederationReply.Refused.Fault.ID_REUSED);
        assertRefused(message("retrying", "1"), FederationReply.Refused.Fault.ID_REUSED);
        assertThat(effects).hasSize(1);
    }

    @Test
    void answers_a_failure_with_the_same_reply_each_time() {
        failure = new IllegalStateException("no such account");
        String type = IllegalStateException.class.getName();
        assertThat(handler.handle(message("transfer", "1")))
                .isEqualTo(new FederationReply.Failed(type, "no such account", false));
        failure = null;
        assertThat(handler.handle(message("transfer", "1")))
                .isEqualTo(new FederationReply.Failed(type, "no such account", true));
        assertThat(effects).hasSize(1);
    }

    @Test
    void executes_again_after_a_failure_without_effect() {
        failure = new IllegalStateException("no database");
        assertThat(handler.handle(message("retrying", "1"))).isEqualTo(later(FederationReply.Later.Wait.NOT_DONE));
        failure = null;
        assertDone(handler.handle(message("retrying", "1")), "done 2", false);
        assertThat(handler.handle(message("m2", "bank-a", "bank-b", "declining", "1")))
                .isEqualTo(later(FederationReply.Later.Wait.NOT_DONE));
    }

    @Test
    void executes_nothing_while_the_outcome_is_unknown() {
        failure = new IllegalStateException("timeout");
        FederationReply unknown = later(FederationReply.Later.Wait.OUTCOME_UNKNOWN);
        assertThat(handler.handle(message("doubting", "1"))).isEqualTo(unknown);
        failure = null;
        assertThat(handler.handle(message("doubting", "1"))).isEqualTo(unknown);
        assertThat(effects).hasSize(1);
    }

    @Test
    void executes_nothing_while_the_store_is_unavailable() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        assertThat(handler.handle(message("transfer", "1")))
                .isEqualTo(later(FederationReply.Later.Wait.STORE_UNAVAILABLE));
        assertThat(effects).isEmpty();
    }

    @Test
    void asks_to_resend_a_duplicate_of_a_message_in_progress() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        FederationHandler slow = FederationHandler.of(semel, "bank-b")
                .clock(clock)
                .action("transfer", Operation.named("transfer"), (message, attempt) -> {
                    begun.countDown();
                    finish.await();
                    return act(message);
                })
                .build();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<FederationReply> first = thread.submit(() -> slow.handle(message("transfer", "1")));
            begun.await();
            assertThat(slow.handle(message("transfer", "1"))).isEqualTo(later(FederationReply.Later.Wait.IN_PROGRESS));
            finish.countDown();
            assertDone(first.get(), "done 1", false);
            assertThat(effects).hasSize(1);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void refuses_a_retention_shorter_than_messages_are_accepted() {
        FederationHandler.Builder builder = FederationHandler.of(semel, "bank-b")
                .action("transfer", Operation.named("transfer").retention(Duration.ofMinutes(10)), (m, a) -> act(m));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transfer");
        assertThatThrownBy(() -> builder.action("transfer", Operation.named("transfer"), (m, a) -> act(m)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The lease holds the stored key, by which {@code find} does not find the record. */
    @Test
    void answers_a_failure_with_hashed_keys_too() {
        try (SemelEngine hashed =
                SemelEngine.on(new MemoryStore()).hashedKeys(new byte[32]).build()) {
            FederationHandler there = FederationHandler.of(hashed, "bank-b")
                    .clock(clock)
                    .action("retrying", Operation.named("retrying").failures(Failures.RETRY), (message, attempt) -> {
                        throw new IOException("down");
                    })
                    .build();

            assertThat(there.handle(message("retrying", "1"))).isEqualTo(later(FederationReply.Later.Wait.NOT_DONE));
        }
    }
}
