package dev.semel.messaging.alias;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Retention;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageIdentity;
import dev.semel.messaging.webhook.StandardWebhooks;
import dev.semel.messaging.webhook.WebhookAnswer;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.messaging.webhook.WebhookReceiver;
import dev.semel.messaging.webhook.WebhookRequest;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Aliases")
class AliasesTest {

    private static final StandardWebhooks PROVIDER =
            StandardWebhooks.signedWith("whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz");

    /** A request of any channel: an invoice and an amount. */
    private record Message(String id, String invoice, String cents) {

        MessageIdentity identity() {
            return MessageIdentity.withId(id, (invoice + " " + cents).getBytes(UTF_8));
        }
    }

    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel =
            SemelEngine.on(store).listener(events::add).build();
    private final Aliases aliases = Aliases.on(semel);
    private final List<String> charges = Collections.synchronizedList(new ArrayList<>());
    private @Nullable RuntimeException failure;

    private final Operation pay =
            Operation.named("pay").retention(Retention.PAYMENT).failures(Failures.RETRY);
    private final Inbox<Message> queue = Inbox.of(semel, "payments", Message::identity)
            .operation(Operation.named("consume").failures(Failures.RETRY).reexecutableAfterCrash())
            .maxAttempts(2)
            .build();
    private final WebhookReceiver webhooks =
            WebhookReceiver.of(semel, "shop", PROVIDER).build();

    @AfterEach
    void close() {
        semel.close();
    }

    private Intent intent(String invoice, String cents) {
        return Intent.of(
                pay,
                Scope.of("payments"),
                Key.of(invoice),
                Fingerprinter.sha256().ofText(cents));
    }

    private String charge(String invoice) {
        if (failure != null) {
            throw failure;
        }
        charges.add(invoice);
        return "receipt " + charges.size() + " for " + invoice;
    }

    private Execution<String> byHttp(String key, String invoice, String cents) {
        return aliases.execute(Alias.of("http", key), intent(invoice, cents), Codec.text(), attempt -> charge(invoice));
    }

    private Delivery byQueue(String id, String invoice, String cents) {
        MessageHandler<Message> handler = aliases.handler(
                message -> new NamedIntent(Alias.of("queue", message.id()), intent(message.invoice(), message.cents())),
                Codec.text(),
                (message, attempt) -> charge(message.invoice()));
        return queue.handle(new Message(id, invoice, cents), handler);
    }

    private WebhookAnswer byWebhook(String id, String invoice, String cents) {
        byte[] body = (invoice + " " + cents).getBytes(UTF_8);
        Map<String, List<String>> headers = PROVIDER.sign(id, Instant.now(), body).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue())));
        MessageHandler<WebhookEvent> handler = aliases.handler(
                event -> {
                    String[] said = new String(event.body(), UTF_8).split(" ", 2);
                    return new NamedIntent(Alias.of("webhook", event.id()), intent(said[0], said[1]));
                },
                Codec.text(),
                (event, attempt) -> charge(invoice));
        return webhooks.receive(new WebhookRequest(headers, body), handler);
    }

    @Test
    void execute_an_intent_of_several_channels_once() {
        assertThat(byHttp("k1", "inv-1", "1999").orThrow()).isEqualTo("receipt 1 for inv-1");
        assertThat(byQueue("m1", "inv-1", "1999")).isEqualTo(new Delivery.Acknowledge(false));
        assertThat(byQueue("m1", "inv-1", "1999")).isEqualTo(new Delivery.Acknowledge(true));
        assertThat(byWebhook("e1", "inv-1", "1999").status()).isEqualTo(200);
        assertThat(byHttp("k2", "inv-1", "1999")).isEqualTo(new Execution.Replayed<>("receipt 1 for inv-1"));
        assertThat(charges).containsExactly("inv-1");
        for (Alias alias : List.of(
                Alias.of("http", "k1"), Alias.of("http", "k2"), Alias.of("queue", "m1"), Alias.of("webhook", "e1"))) {
            assertThat(aliases.resolve(alias)).contains(Identity.of("payments", "inv-1"));
        }
    }

    @Test
    void execute_an_intent_once_that_arrives_by_all_channels_at_the_same_time() throws Exception {
        int each = 8;
        List<Callable<Object>> arrivals = new ArrayList<>();
        CyclicBarrier start = new CyclicBarrier(3 * each);
        for (int i = 0; i < each; i++) {
            String id = "id" + i;
            arrivals.add(() -> {
                start.await();
                return byHttp(id, "inv-1", "1999");
            });
            arrivals.add(() -> {
                start.await();
                return byQueue(id, "inv-1", "1999");
            });
            arrivals.add(() -> {
                start.await();
                return byWebhook(id, "inv-1", "1999");
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(arrivals.size());
        try {
            for (Future<Object> arrival : threads.invokeAll(arrivals)) {
                arrival.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(charges).containsExactly("inv-1");
        assertThat(byHttp("id0", "inv-1", "1999")).isEqualTo(new Execution.Replayed<>("receipt 1 for inv-1"));
        assertThat(byQueue("id0", "inv-1", "1999")).isInstanceOf(Delivery.Acknowledge.class);
        assertThat(byWebhook("id0", "inv-1", "1999").status()).isEqualTo(200);
    }

    @Test
    void are_bound_to_one_intent_and_report_a_conflict() {
        Alias alias = Alias.of("queue", "m1");
        Identity first = Identity.of("payments", "inv-1");
        Identity second = Identity.of("payments", "inv-2");
        assertThat(aliases.bind(alias, first)).isEqualTo(new Binding.Bound(first, true));
        assertThat(aliases.bind(alias, first)).isEqualTo(new Binding.Bound(first, false));
        assertThat(aliases.bind(alias, second)).isEqualTo(new Binding.Conflict(alias));
        assertThat(aliases.resolve(alias)).contains(first);
        assertThat(events)
                .filteredOn(event -> event instanceof Event.RefusedMismatch)
                .singleElement()
                .isInstanceOfSatisfying(Event.RefusedMismatch.class, refused -> {
                    assertThat(refused.operation()).isEqualTo("bind-alias");
                    assertThat(refused.identity()).isEqualTo(alias.identity());
                });
    }

    @Test
    void execute_nothing_for_an_alias_of_another_intent() {
        for (String channel : List.of("http", "queue", "webhook")) {
            aliases.bind(Alias.of(channel, "id"), Identity.of("payments", "inv-1"));
        }
        assertThat(byHttp("id", "inv-2", "1999")).isEqualTo(new Execution.Refused<>(new Refusal.Mismatch()));
        assertThat(byQueue("id", "inv-2", "1999")).isInstanceOf(Delivery.Redeliver.class);
        assertThat(byQueue("id", "inv-2", "1999"))
                .isInstanceOfSatisfying(
                        Delivery.DeadLetter.class,
                        dead -> assertThat(dead.reason())
                                .contains("ConflictingIntentException")
                                .doesNotContain("inv-1"));
        assertThat(byWebhook("id", "inv-2", "1999").status()).isEqualTo(422);
        assertThat(charges).isEmpty();
    }

    @Test
    void refuse_another_fingerprint_of_the_intent_from_another_channel() {
        byHttp("k1", "inv-1", "1999");
        assertThat(byWebhook("e1", "inv-1", "1").status()).isEqualTo(422);
        assertThat(charges).hasSize(1);
    }

    @Test
    void redeliver_messages_while_the_outcome_is_unknown_without_limit() {
        failure = new OutcomeUnknownException("timeout");
        assertThatThrownBy(() -> byHttp("k1", "inv-1", "1999")).isSameAs(failure);
        failure = null;
        for (int i = 0; i < 5; i++) {
            assertThat(byQueue("m1", "inv-1", "1999")).isEqualTo(new Delivery.Redeliver("intent_not_settled"));
        }
        assertThat(byWebhook("e1", "inv-1", "1999").status()).isEqualTo(503);
        assertThat(charges).isEmpty();
    }

    @Test
    void let_another_channel_execute_after_a_failure_without_effect() {
        failure = new IllegalStateException("no network");
        assertThat(byQueue("m1", "inv-1", "1999")).isInstanceOf(Delivery.Redeliver.class);
        failure = null;
        assertThat(byWebhook("e1", "inv-1", "1999").status()).isEqualTo(200);
        assertThat(byQueue("m1", "inv-1", "1999")).isEqualTo(new Delivery.Acknowledge(false));
        assertThat(charges).hasSize(1);
    }

    @Test
    void resolve_to_nothing_before_they_are_bound() {
        assertThat(aliases.resolve(Alias.of("queue", "m1"))).isEmpty();
    }

    @Test
    void are_not_bound_while_the_store_is_unavailable() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        assertThatThrownBy(() -> byHttp("k1", "inv-1", "1999")).isInstanceOf(StoreException.class);
        assertThat(charges).isEmpty();
    }

    @Test
    void validate_their_ids_and_do_not_show_them() {
        assertThatThrownBy(() -> Alias.of("", "m1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Alias.of("queue", "")).isInstanceOf(IllegalArgumentException.class);
        assertThat(Alias.of("queue", "alice@example.com").toString()).doesNotContain("alice");
    }
}
