package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.ProblemRenderer;
import dev.semel.http.Profile;
import dev.semel.testsupport.http.Wire;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What an answer says of its key, in each profile and rendering. */
public interface PromiseContract extends OnTransport {

    /** A Saturday with a day of one digit, which HTTP dates write with two. */
    Instant NOW = Instant.parse("2026-11-07T10:00:00.900Z");

    DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private ContractServer.Settings promising() {
        return settings()
                .route(
                        "*",
                        "*",
                        Operation.named("create-payment").retention(Duration.ofHours(1)),
                        policy -> policy.maxRecordedResponse(10))
                .gate(gate -> gate.clock(InstantSource.fixed(NOW)));
    }

    @Test
    default void a_first_answer_repeats_the_key_and_says_until_when_it_is_kept() {
        try (ContractServer server = promising().start(call -> call.print("done"))) {
            Wire.Reply first = server.pay("\"k\"");
            assertThat(first.all("Idempotency-Key")).containsExactly("\"k\"");
            assertThat(first.all("Idempotency-Expires")).containsExactly("Sat, 07 Nov 2026 11:00:00 GMT");
            assertThat(first.all("Idempotency-Age")).isEmpty();
            assertThat(first.all("Idempotency-Replayed")).isEmpty();
        }
    }

    @Test
    default void a_replay_says_how_old_it_is_and_what_is_left_by_the_stores_clock() {
        try (ContractServer server = promising().start(call -> call.print("done"))) {
            server.pay("k");
            Wire.Reply replay = server.pay("\"k\"");
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.all("Idempotency-Key")).containsExactly("\"k\"");
            assertThat(replay.all("Idempotency-Age")).hasSize(1).first().matches(age -> age.matches("\\d"));
            assertThat(replay.all("Idempotency-Expires"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("Sat, 07 Nov 2026 1");
            Wire.Reply status = server.status("k");
            assertThat(status.all("Idempotency-Key")).containsExactly("k");
            assertThat(status.all("Idempotency-Expires")).hasSize(1);
        }
    }

    @Test
    default void headers_of_the_handler_by_the_same_names_are_replaced_and_not_replayed() {
        try (ContractServer server = promising().start(call -> {
            call.header("Idempotency-Key", "of the handler");
            call.header("Idempotency-Expires", "of the handler");
            call.header("Idempotency-Age", "of the handler");
            call.print("done");
        })) {
            Wire.Reply first = server.pay("k");
            assertThat(first.all("Idempotency-Key")).containsExactly("k");
            assertThat(first.all("Idempotency-Expires")).hasSize(1).doesNotContain("of the handler");
            Wire.Reply replay = server.pay("k");
            assertThat(replay.all("Idempotency-Key")).containsExactly("k");
            assertThat(replay.all("Idempotency-Expires")).hasSize(1).doesNotContain("of the handler");
            assertThat(replay.all("Idempotency-Age")).hasSize(1).doesNotContain("of the handler");
        }
    }

    @Test
    default void a_response_that_is_not_retained_says_it_too() {
        try (ContractServer server = promising().start(call -> call.print("longer than ten characters"))) {
            Wire.Reply first = server.pay("k");
            assertThat(first.text()).isEqualTo("longer than ten characters");
            assertThat(first.all("Idempotency-Key")).containsExactly("k");
            assertThat(first.all("Idempotency-Expires")).hasSize(1);
            Wire.Reply retry = server.pay("k");
            assertProblem(retry, 409, "idempotency_response_not_retained", false);
            assertThat(retry.all("Idempotency-Age")).hasSize(1);
            assertThat(retry.all("Idempotency-Expires")).hasSize(1);
        }
    }

    @Test
    default void a_refusal_repeats_a_valid_key_and_says_nothing_of_the_record() {
        try (ContractServer server = promising().start(call -> call.print("done"))) {
            server.pay("k");
            Wire.Reply mismatch = server.send(server.post("/payments").key("k").json("{\"amount\":200}"));
            assertProblem(mismatch, 422, "idempotency_key_reused_with_different_payload", false);
            assertThat(mismatch.all("Idempotency-Key")).containsExactly("k");
            assertThat(mismatch.all("Idempotency-Expires")).isEmpty();
            assertThat(mismatch.all("Idempotency-Age")).isEmpty();
            assertThat(server.pay("has space").all("Idempotency-Key")).isEmpty();
            assertThat(server.send(server.post("/payments").json("{}")).all("Idempotency-Key"))
                    .isEmpty();
        }
    }

    @Test
    default void an_outcome_that_is_not_final_is_kept_until_no_date() {
        try (ContractServer server = promising().start(call -> {
            throw new OutcomeUnknownException("timeout");
        })) {
            Wire.Reply unknown = server.pay("k");
            assertProblem(unknown, 409, "idempotency_outcome_unknown", true);
            assertThat(unknown.all("Idempotency-Key")).containsExactly("k");
            assertThat(unknown.all("Idempotency-Expires")).isEmpty();
            assertThat(unknown.text()).contains("\"safe_new_key\":false", "\"code\":\"wait_and_retry_same_key\"");
        }
    }

    @Test
    default void one_setting_turns_the_headers_off_but_for_the_mark_of_a_replay() {
        ContractServer.Settings silent =
                settings().route("*", "*", policy -> policy).gate(gate -> gate.answerHeaders(false));
        try (ContractServer server = silent.start(call -> call.print("done"))) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");
            assertThat(replay.replayed()).isTrue();
            for (String name : List.of("Idempotency-Key", "Idempotency-Expires", "Idempotency-Age")) {
                assertThat(first.all(name)).isEmpty();
                assertThat(replay.all(name)).isEmpty();
            }
        }
    }

    @Test
    default void a_date_of_the_handler_is_not_replayed_where_the_headers_are_off() {
        ContractServer.Settings silent =
                settings().route("*", "*", policy -> policy).gate(gate -> gate.answerHeaders(false));
        try (ContractServer server = silent.start(call -> {
            call.header("Idempotency-Expires", "of the handler");
            call.print("done");
        })) {
            assertThat(server.pay("k").all("Idempotency-Expires")).containsExactly("of the handler");
            assertThat(server.pay("k").all("Idempotency-Expires")).isEmpty();
        }
    }

    @Test
    default void a_renderer_gives_refusals_the_form_of_the_application() {
        ContractServer.Settings rendered = settings()
                .route("*", "*", policy -> policy)
                .gate(gate -> gate.problemRenderer((problem, request) -> new ProblemRenderer.Rendered(
                        "text/plain",
                        Body.ofText(problem.code().code() + " " + request.path() + " " + problem.safeNewKey()),
                        Headers.of("X-Rendered", "yes"))));
        try (ContractServer server = rendered.start(call -> {})) {
            Wire.Reply missing = server.send(server.post("/payments").json("{}"));
            assertThat(missing.status()).isEqualTo(400);
            assertThat(missing.text()).isEqualTo("idempotency_key_missing /payments true");
            assertThat(missing.all("X-Rendered")).containsExactly("yes");
            assertThat(missing.all("Content-Type"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("text/plain");
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    default void a_renderer_that_throws_leaves_the_standard_form() {
        ContractServer.Settings rendered = settings()
                .route("*", "*", policy -> policy)
                .gate(gate -> gate.problemRenderer((problem, request) -> {
                    throw new IllegalStateException("no template");
                }));
        try (ContractServer server = rendered.start(call -> {})) {
            assertProblem(server.send(server.post("/payments").json("{}")), 400, "idempotency_key_missing", false);
        }
    }

    @Test
    default void the_profile_of_stripe_says_it_as_stripe_does() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ContractServer server = protecting(policy -> policy.profile(Profile.STRIPE), call -> {
            started.countDown();
            finish.await();
            call.print("done");
        })) {
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.pay("\"k\""));
            started.await();
            Wire.Reply busy = server.pay("\"k\"");
            assertThat(busy.status()).isEqualTo(409);
            assertThat(busy.text())
                    .startsWith(
                            "{\"error\":{\"type\":\"idempotency_error\",\"code\":\"idempotency_key_in_use\",\"message\":\"");
            assertThat(busy.all("Stripe-Should-Retry")).containsExactly("true");
            assertThat(busy.all("Content-Type")).hasSize(1).first().asString().startsWith("application/json");
            finish.countDown();
            assertThat(first.get().all("Idempotency-Key")).containsExactly("\"k\"");
            Wire.Reply replay = server.pay("\"k\"");
            assertThat(replay.text()).isEqualTo("done");
            assertThat(replay.all("Idempotent-Replayed")).containsExactly("true");
            assertThat(replay.all("Idempotency-Replayed")).isEmpty();
            assertThat(server.pay("k").all("Idempotent-Replayed"))
                    .as("a bare key keeps its quotes")
                    .isEmpty();
            Wire.Reply mismatch = server.send(server.post("/payments").key("k").json("{\"amount\":200}"));
            assertThat(mismatch.status()).isEqualTo(400);
            assertThat(mismatch.text()).startsWith("{\"error\":{\"type\":\"idempotency_error\",");
            assertThat(mismatch.all("Stripe-Should-Retry")).containsExactly("false");
        }
    }

    @Test
    default void the_profile_of_oasis_has_its_headers_and_says_what_was_accepted() {
        try (ContractServer server = protecting(policy -> policy.profile(Profile.OASIS), call -> call.print("done"))) {
            String firstSent = IMF_FIXDATE.format(Instant.now());
            Wire.Reply first = server.send(repeatable(server, firstSent));
            assertThat(first.text()).isEqualTo("done");
            assertThat(first.all("Repeatability-Result")).containsExactly("accepted");
            Wire.Reply replay = server.send(repeatable(server, firstSent));
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.all("Repeatability-Result")).containsExactly("accepted");
            for (Wire.Request rejected : List.of(
                    repeatable(server, IMF_FIXDATE.format(Instant.now().minusSeconds(60))),
                    repeatable(server, firstSent).header("Repeatability-Client-ID", "another"),
                    repeatable(server, "2026-11-07T09:59:59Z"),
                    server.post("/payments")
                            .header("Repeatability-Request-ID", "r2")
                            .json("{}"),
                    server.post("/payments").json("{}"))) {
                Wire.Reply reply = server.send(rejected);
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.all("Repeatability-Result")).containsExactly("rejected");
            }
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void the_profile_of_oasis_rejects_first_attempts_that_are_older_than_the_retention_or_not_made_yet() {
        try (ContractServer server = protecting(policy -> policy.profile(Profile.OASIS), call -> call.print("done"))) {
            Wire.Reply late = server.send(repeatable(server, "Tue, 15 Nov 1994 08:12:31 GMT"));
            assertThat(late.status()).isEqualTo(412);
            assertThat(late.text()).contains("\"code\":\"idempotency_key_expired\"", "\"safe_new_key\":false");
            assertThat(late.all("Repeatability-Result")).containsExactly("rejected");
            Wire.Reply early = server.send(
                    repeatable(server, IMF_FIXDATE.format(Instant.now().plus(Duration.ofDays(2)))));
            assertThat(early.status()).isEqualTo(400);
            assertThat(early.all("Repeatability-Result")).containsExactly("rejected");
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    default void the_profile_of_oasis_refuses_a_first_attempt_that_was_too_long_ago_or_is_yet_to_come() {
        try (ContractServer server = protecting(policy -> policy.profile(Profile.OASIS), call -> call.print("done"))) {
            for (String late : List.of(
                    IMF_FIXDATE.format(Instant.now().minus(Duration.ofHours(25))), "Sun, 01 Jan 1950 00:00:00 GMT")) {
                Wire.Reply reply = server.send(repeatable(server, late));
                assertThat(reply.status()).as(late).isEqualTo(412);
                assertThat(reply.text()).contains("idempotency_key_expired");
                assertThat(reply.all("Repeatability-Result")).containsExactly("rejected");
            }
            for (String early : List.of(
                    IMF_FIXDATE.format(Instant.now().plus(Duration.ofHours(1))),
                    "Fri, 31 Dec 9999 23:59:59 GMT",
                    "Sat, 01 Jan +10000 00:00:00 GMT")) {
                Wire.Reply reply = server.send(repeatable(server, early));
                assertThat(reply.status()).as(early).isEqualTo(400);
                assertThat(reply.all("Repeatability-Result")).containsExactly("rejected");
            }
            assertThat(server.executions).hasValue(0);
        }
    }

    private static Wire.Request repeatable(ContractServer server, String firstSent) {
        return server.post("/payments")
                .header("Repeatability-Request-ID", "r1")
                .header("Repeatability-First-Sent", firstSent)
                .json("{\"amount\":100}");
    }
}
