package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.MessageHandler;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.CountingStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A webhook receiver")
class WebhookReceiverTest {

    private static final StandardWebhooks SENDER =
            StandardWebhooks.signedWith("whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz");
    private static final StandardWebhooks NEXT =
            StandardWebhooks.signedWith("whsec_dGhlIG5leHQgc2VjcmV0IG9mIHRoZSBzYW1lIHNlbmRlcg==");

    private final ManualTime clock = new ManualTime();
    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final CountingStore counted = new CountingStore(store);
    private final SemelEngine semel = SemelEngine.on(counted).build();
    private final long atStart = counted.calls();
    private final WebhookReceiver receiver = receiverOf(SENDER);
    private final List<String> effects = Collections.synchronizedList(new ArrayList<>());
    private final MessageHandler<WebhookEvent> handler =
            (event, attempt) -> effects.add(event.id() + " " + new String(event.body(), UTF_8));

    @AfterEach
    void close() {
        semel.close();
    }

    private WebhookReceiver receiverOf(WebhookScheme scheme) {
        return WebhookReceiver.of(semel, "billing", scheme).clock(clock).build();
    }

    private WebhookRequest signed(StandardWebhooks sender, String id, Instant at, String body) {
        return delivered(sender.sign(id, at, body.getBytes(UTF_8)), body);
    }

    private WebhookRequest signed(String id, String body) {
        return signed(SENDER, id, clock.instant(), body);
    }

    private static WebhookRequest delivered(Map<String, String> headers, String body) {
        return new WebhookRequest(lists(headers), body.getBytes(UTF_8));
    }

    private static Map<String, List<String>> lists(Map<String, String> headers) {
        return headers.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> List.of(e.getValue())));
    }

    private int status(WebhookRequest request) {
        return receiver.receive(request, handler).status();
    }

    private void assertThatTheStoreWasNotCalled() {
        assertThat(counted.calls()).isEqualTo(atStart);
        assertThat(effects).isEmpty();
    }

    @Test
    void handles_an_event_once_and_accepts_its_redelivery_at_once() {
        WebhookRequest request = signed("e1", "{\"paid\":1}");
        assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.HANDLED);
        long calls = counted.calls();
        assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.DUPLICATE);
        assertThat(counted.calls() - calls).isEqualTo(1);
        assertThat(effects).containsExactly("e1 {\"paid\":1}");
    }

    @Test
    void accepts_a_retry_with_a_new_signature() {
        assertThat(status(signed("e1", "{}"))).isEqualTo(200);
        clock.advance(Duration.ofHours(1));
        assertThat(receiver.receive(signed("e1", "{}"), handler)).isEqualTo(WebhookAnswer.DUPLICATE);
    }

    @Test
    void refuses_forged_deliveries() {
        WebhookRequest genuine = signed("e1", "{\"paid\":1}");
        Map<String, String> headers = SENDER.sign("e1", clock.instant(), "{\"paid\":1}".getBytes(UTF_8));
        assertThat(receiver.receive(delivered(headers, "{\"paid\":9}"), handler))
                .isEqualTo(WebhookAnswer.NOT_VERIFIED);
        assertThat(receiver.receive(delivered(Map.of(), "{\"paid\":1}"), handler))
                .isEqualTo(WebhookAnswer.NOT_VERIFIED);
        assertThatTheStoreWasNotCalled();
        assertThat(status(genuine)).isEqualTo(200);
    }

    @Test
    void refuses_truncated_deliveries() {
        String body = "{\"paid\":1}";
        Map<String, String> headers = SENDER.sign("e1", clock.instant(), body.getBytes(UTF_8));
        for (int length = 0; length < body.length(); length++) {
            assertThat(status(delivered(headers, body.substring(0, length)))).isEqualTo(401);
        }
        assertThatTheStoreWasNotCalled();
    }

    @Test
    void refuses_signatures_that_are_too_old_or_too_far_ahead() {
        Instant now = clock.instant();
        assertThat(receiver.receive(signed(SENDER, "e1", now.minusSeconds(301), "{}"), handler))
                .isEqualTo(WebhookAnswer.NOT_VERIFIED);
        assertThat(status(signed(SENDER, "e1", now.plusSeconds(301), "{}"))).isEqualTo(401);
        assertThatTheStoreWasNotCalled();
        assertThat(status(signed(SENDER, "e1", now.minusSeconds(300), "{}"))).isEqualTo(200);
        assertThat(status(signed(SENDER, "e2", now.plusSeconds(300), "{}"))).isEqualTo(200);
    }

    @Test
    void does_not_handle_a_captured_delivery_that_an_attacker_replays() {
        WebhookRequest recorded = signed("e1", "{}");
        assertThat(status(recorded)).isEqualTo(200);
        clock.advance(Duration.ofMinutes(5));
        assertThat(status(recorded)).isEqualTo(200);
        clock.advance(Duration.ofSeconds(1));
        assertThat(status(recorded)).isEqualTo(401);
        assertThat(effects).hasSize(1);
    }

    @Test
    void handles_events_in_any_order() {
        WebhookRequest first = signed("e1", "1");
        WebhookRequest second = signed("e2", "2");
        assertThat(status(second)).isEqualTo(200);
        assertThat(status(first)).isEqualTo(200);
        assertThat(status(second)).isEqualTo(200);
        assertThat(effects).containsExactly("e2 2", "e1 1");
    }

    @Test
    void accepts_the_old_and_the_new_secret_during_a_rotation() {
        WebhookRequest byOld = signed(SENDER, "e1", clock.instant(), "{}");
        WebhookRequest byNew = signed(NEXT, "e1", clock.instant(), "{}");
        assertThat(status(byNew)).as("before").isEqualTo(401);
        WebhookReceiver changing = receiverOf(StandardWebhooks.signedWith(
                "whsec_dGhlIG5leHQgc2VjcmV0IG9mIHRoZSBzYW1lIHNlbmRlcg==",
                "whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz"));
        assertThat(changing.receive(byOld, handler)).isEqualTo(WebhookAnswer.HANDLED);
        assertThat(changing.receive(byNew, handler)).isEqualTo(WebhookAnswer.DUPLICATE);
        WebhookReceiver changed = receiverOf(NEXT);
        assertThat(changed.receive(byOld, handler)).isEqualTo(WebhookAnswer.NOT_VERIFIED);
    }

    @Test
    void refuses_the_id_of_another_event_with_422() {
        assertThat(status(signed("e1", "{\"paid\":1}"))).isEqualTo(200);
        assertThat(receiver.receive(signed("e1", "{\"paid\":2}"), handler)).isEqualTo(WebhookAnswer.ID_REUSED);
        assertThat(effects).hasSize(1);
    }

    @Test
    void refuses_an_invalid_id() {
        assertThat(receiver.receive(signed("x".repeat(300), "{}"), handler)).isEqualTo(WebhookAnswer.NOT_AN_EVENT);
        assertThatTheStoreWasNotCalled();
    }

    @Test
    void reads_no_more_of_a_body_than_allowed() throws Exception {
        WebhookReceiver small = WebhookReceiver.of(semel, "billing", SENDER)
                .clock(clock)
                .maxBytes(10)
                .build();
        InputStream endless = InputStream.nullInputStream();
        InputStream eleven = new ByteArrayInputStream(new byte[1000]);
        assertThat(small.receive(Map.of(), eleven, handler)).isEqualTo(WebhookAnswer.TOO_LARGE);
        assertThat(eleven.available()).isEqualTo(989);
        assertThat(small.receive(Map.of(), endless, handler)).isEqualTo(WebhookAnswer.NOT_VERIFIED);
        byte[] ten = "0123456789".getBytes(UTF_8);
        assertThat(small.receive(
                        lists(SENDER.sign("e1", clock.instant(), ten)), new ByteArrayInputStream(ten), handler))
                .isEqualTo(WebhookAnswer.HANDLED);
    }

    @Test
    void records_no_failure_so_the_next_delivery_is_handled_after_any_number_of_failures() {
        WebhookRequest request = signed("e1", "{}");
        for (int i = 0; i < 20; i++) {
            assertThat(receiver.receive(request, (event, attempt) -> {
                        throw new IllegalStateException("no database");
                    }))
                    .isEqualTo(WebhookAnswer.FAILED);
        }
        assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.HANDLED);
    }

    @Test
    void answers_503_when_the_handler_declares_the_event_not_executed() {
        WebhookRequest request = signed("e1", "{}");
        assertThat(receiver.receive(request, (event, attempt) -> attempt.notExecuted("not_yet")))
                .isEqualTo(WebhookAnswer.NOT_NOW);
        assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.HANDLED);
    }

    @Test
    void answers_400_when_the_handler_finds_no_event() {
        WebhookRequest request = signed("e1", "{}");
        assertThat(receiver.receive(request, (event, attempt) -> {
                    throw new NotAnEventException("no data");
                }))
                .isEqualTo(WebhookAnswer.NOT_AN_EVENT);
        assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.HANDLED);
    }

    @Test
    void answers_503_while_the_outcome_is_unknown_and_does_not_handle_the_event() {
        WebhookRequest request = signed("e1", "{}");
        assertThat(receiver.receive(request, (event, attempt) -> {
                            throw new OutcomeUnknownException("timeout");
                        })
                        .status())
                .isEqualTo(500);
        WebhookAnswer again = receiver.receive(request, handler);
        assertThat(again).isEqualTo(WebhookAnswer.NOT_NOW);
        assertThat(again.retryAfterSeconds()).contains("5");
        assertThat(effects).isEmpty();
    }

    @Test
    void accepts_a_failed_event_when_failures_are_recorded() {
        WebhookReceiver recording = WebhookReceiver.of(semel, "billing", SENDER)
                .clock(clock)
                .operation(
                        Operation.named("webhook").retention(Retention.WEBHOOK).failures(Failures.REPLAY))
                .build();
        WebhookRequest request = signed("e1", "{}");
        assertThat(recording.receive(request, (event, attempt) -> {
                    throw new IllegalStateException("for good");
                }))
                .isEqualTo(WebhookAnswer.GIVEN_UP);
        assertThat(recording.receive(request, handler)).isEqualTo(WebhookAnswer.GIVEN_UP);
        assertThat(effects).isEmpty();
    }

    @Test
    void answers_503_while_the_store_is_unavailable() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        WebhookRequest request = signed("e1", "{}");
        assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.NOT_NOW);
        assertThat(effects).isEmpty();
        assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.HANDLED);
    }

    @Test
    void runs_the_handler_once_for_64_deliveries_at_the_same_time() throws Exception {
        int deliveries = 64;
        CyclicBarrier start = new CyclicBarrier(deliveries);
        ExecutorService threads = Executors.newFixedThreadPool(deliveries);
        try {
            WebhookRequest request = signed("e1", "{}");
            List<Future<WebhookAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < deliveries; i++) {
                answers.add(threads.submit(() -> {
                    start.await();
                    return receiver.receive(request, handler);
                }));
            }
            List<WebhookAnswer> all = new ArrayList<>();
            for (Future<WebhookAnswer> answer : answers) {
                all.add(answer.get());
            }
            assertThat(effects).containsExactly("e1 {}");
            assertThat(all).containsOnlyOnce(WebhookAnswer.HANDLED);
            assertThat(all)
                    .allMatch(answer -> List.of(WebhookAnswer.HANDLED, WebhookAnswer.DUPLICATE, WebhookAnswer.NOT_NOW)
                            .contains(answer));
            assertThat(receiver.receive(request, handler)).isEqualTo(WebhookAnswer.DUPLICATE);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void separates_the_ids_of_senders() {
        WebhookReceiver other =
                WebhookReceiver.of(semel, "shipping", SENDER).clock(clock).build();
        assertThat(status(signed("e1", "{}"))).isEqualTo(200);
        assertThat(other.receive(signed("e1", "{}"), handler)).isEqualTo(WebhookAnswer.HANDLED);
    }

    @Test
    void handles_a_github_delivery_with_another_id_again_unless_events_are_identified_by_content() {
        GitHubWebhooks github = GitHubWebhooks.signedWith("It's a Secret to Everybody");
        Map<String, String> headers = Map.of(
                "X-Hub-Signature-256",
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                "X-GitHub-Delivery",
                "d1");
        WebhookRequest one = delivered(headers, "Hello, World!");
        WebhookRequest other = delivered(
                Map.of(
                        "X-Hub-Signature-256",
                        headers.getOrDefault("X-Hub-Signature-256", ""),
                        "X-GitHub-Delivery",
                        "d2"),
                "Hello, World!");
        WebhookReceiver byContent = receiverOf(github.identifiedByContent());
        assertThat(byContent.receive(one, handler)).isEqualTo(WebhookAnswer.HANDLED);
        assertThat(byContent.receive(other, handler)).isEqualTo(WebhookAnswer.DUPLICATE);
        WebhookReceiver byId = receiverOf(github);
        assertThat(byId.receive(one, handler)).isEqualTo(WebhookAnswer.HANDLED);
        assertThat(byId.receive(one, handler)).isEqualTo(WebhookAnswer.DUPLICATE);
        assertThat(byId.receive(other, handler)).isEqualTo(WebhookAnswer.HANDLED);
    }

    @Test
    void refuses_a_retention_shorter_than_the_sender_retries() {
        assertThatThrownBy(() -> WebhookReceiver.of(semel, "billing", SENDER)
                        .operation(Operation.named("webhook").retention(Duration.ofDays(3)))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT72H")
                .hasMessageContaining("PT96H");
        assertThatThrownBy(() -> WebhookReceiver.of(semel, "billing", SENDER)
                        .tolerance(Duration.ofDays(4))
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WebhookReceiver.of(semel, "billing", SENDER)
                        .tolerance(Duration.ZERO)
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        WebhookReceiver.of(semel, "billing", SENDER).maxBytes(0).build())
                .isInstanceOf(IllegalArgumentException.class);
    }
}
