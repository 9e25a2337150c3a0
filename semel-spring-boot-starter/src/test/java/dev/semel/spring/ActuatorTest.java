package dev.semel.spring;

import static dev.semel.spring.OperatedApplication.EXPOSED;
import static dev.semel.spring.OperatedApplication.SCOPE;
import static dev.semel.spring.OperatedApplication.UNRESTRICTED;
import static dev.semel.spring.OperatedApplication.assertRefused;
import static dev.semel.spring.OperatedApplication.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("The actuator endpoint idempotency")
class ActuatorTest {

    private static OperatedApplication shared;

    /** The one that tests share, unless they need another. */
    private OperatedApplication application;

    /** Every test has its own. */
    private final String key = "k/" + UUID.randomUUID();

    @BeforeAll
    static void startShared() {
        shared = new OperatedApplication(EXPOSED, UNRESTRICTED);
    }

    @AfterAll
    static void stopShared() {
        shared.close();
    }

    @BeforeEach
    void start() {
        application = shared;
        application.store().up();
        application.payments().failing = true;
        application.payments().taken.set(0);
    }

    private void startWith(String... properties) {
        stop();
        application = new OperatedApplication(properties);
    }

    @AfterEach
    void stop() {
        if (application != shared) {
            application.close();
        }
    }

    @Test
    void is_not_exposed_by_default() {
        startWith();

        assertThat(application.get("/actuator/idempotency").statusCode()).isEqualTo(404);
        assertThat(application.get("/actuator/idempotency/routes").statusCode()).isEqualTo(404);
        assertThat(application.write("/actuator/idempotency/requeue", "{}").statusCode())
                .isEqualTo(404);
    }

    @Test
    void only_reads_by_default() {
        startWith(EXPOSED);
        application.pay(key);

        assertThat(application.get("/actuator/idempotency").statusCode()).isEqualTo(200);
        assertThat(application.record(key).statusCode()).isEqualTo(200);
        assertThat(application.resolve(key, "verdict", "did-not-happen").statusCode())
                .isEqualTo(405);
        assertThat(application.requeue(key).statusCode()).isEqualTo(405);
        assertThat(application.delete("/actuator/idempotency/expired").statusCode())
                .isEqualTo(405);
        application.assertState(key, "unknown");
    }

    @Test
    void lists_unknown_outcomes_in_pages() {
        startWith(EXPOSED);
        application.pay("k-1");
        application.pay("k-2");
        application.pay("k-3");

        JsonNode first = body(application.get("/actuator/idempotency?limit=2"));
        JsonNode next = first.path("next");
        JsonNode second = body(application.get("/actuator/idempotency?limit=2&afterScope=" + SCOPE + "&afterKey="
                + next.path("afterKey").asString()));

        assertThat(first.path("unknown").findValuesAsString("key")).containsExactly("k-1", "k-2");
        assertThat(first.path("unknown").path(0).path("operation").asString()).isEqualTo("create-payment");
        assertThat(first.path("unknown").path(0).path("fence").asLong()).isPositive();
        assertThat(next.path("afterScope").asString()).isEqualTo("anonymous");
        assertThat(second.path("unknown").findValuesAsString("key")).containsExactly("k-3");
        assertThat(second.path("next").isObject()).isFalse();
    }

    @Test
    void lists_those_of_an_operation_and_those_that_wait_for_a_person() {
        startWith(EXPOSED);
        application.pay("k-1");
        application.pay("k-2");
        application.refund("r-7");
        UnknownOutcomes unknown = application.running.bean(SemelEngine.class).unknownOutcomes();
        unknown.deadLetter(
                unknown.listUnknown(UnknownFilter.ALL, 10).get(1),
                new Evidence("resolver:create-payment", "no answer"));

        assertThat(keys("?operation=refund")).containsExactly("r-7");
        assertThat(keys("?operation=nothing")).isEmpty();
        assertThat(keys("?deadLettered=true")).containsExactly("k-2");
        assertThat(keys("?deadLettered=false")).containsExactly("k-1", "r-7");
    }

    private Iterable<String> keys(String query) {
        return body(application.get("/actuator/idempotency" + query))
                .path("unknown")
                .findValuesAsString("key");
    }

    @Test
    void shows_everything_of_a_record_but_its_response() {
        application.payments().failing = false;
        application.pay(key);

        HttpResponse<String> shown = application.record(key);

        JsonNode record = body(shown);
        assertThat(record.path("state").asString()).isEqualTo("completed");
        assertThat(record.path("operation").asString()).isEqualTo("create-payment");
        assertThat(record.path("attempts").asInt()).isEqualTo(1);
        assertThat(record.path("responseBytes").asInt()).isPositive();
        assertThat(record.path("times").path("expires").asString()).startsWith("20");
        assertThat(record.path("history").findValuesAsString("to")).containsExactly("in_progress", "completed");
        assertThat(record.path("history").path(0).path("from").asString()).isEqualTo("absent");
        assertThat(shown.body()).doesNotContain("top secret").doesNotContain(key);
    }

    @Test
    void answers_404_for_an_unused_key() {
        assertRefused(application.record(key), 404, "no record of this key");
        assertRefused(application.resolve(key, "verdict", "did-not-happen"), 404, "no record of this key");
        assertRefused(application.requeue(key), 404, "no record of this key");
    }

    @Test
    void has_nothing_else_below_it() {
        assertRefused(application.get("/actuator/idempotency/everything"), 404, "use record");
        assertRefused(application.write("/actuator/idempotency/undo", "{}"), 404, "post to requeue");
        assertRefused(application.delete("/actuator/idempotency/unknown"), 404, "only expired records");
    }

    @Test
    void settles_what_happened_with_the_response_that_retries_get() {
        application.pay(key);

        body(application.resolve(
                key,
                "verdict",
                "happened",
                "status",
                "201",
                "headers",
                "Content-Type: application/json\nLocation: /payments/7",
                "body",
                "{\"id\":7}"));
        HttpResponse<String> retry = application.pay(key);

        assertThat(retry.statusCode()).isEqualTo(201);
        assertThat(retry.body()).isEqualTo("{\"id\":7}");
        assertThat(retry.headers().firstValue("Location")).contains("/payments/7");
        assertThat(RunningApplication.isReplay(retry)).isTrue();
        assertThat(application.payments().taken).hasValue(1);
        JsonNode record = body(application.record(key));
        assertThat(record.path("evidence").path("source").asString()).isEqualTo("person:alice");
        assertThat(record.path("evidence").path("detail").asString()).isEqualTo("charge ch_9 in the dashboard");
    }

    @Test
    void shows_which_request_it_was_and_when_it_was_completed_and_whether_there_is_a_resolver() {
        application.pay(key);
        JsonNode unknown = body(application.record(key));
        assertThat(unknown.path("request").asString()).isEqualTo("POST /payments");
        assertThat(unknown.path("times").path("completed").isString()).isFalse();
        assertThat(unknown.path("reconciling").path("resolver").isBoolean()).isTrue();
        assertThat(unknown.path("reconciling").path("resolver").asBoolean()).isFalse();
        assertThat(unknown.path("history").path(0).path("request").asString()).isEqualTo("POST /payments");
        assertThat(unknown.path("holder").asString()).doesNotContain(" ");
        JsonNode row = body(application.get("/actuator/idempotency?operation=create-payment&limit=500"))
                .path("unknown")
                .path(0);
        assertThat(row.path("resolver").asBoolean()).isFalse();
        assertThat(row.path("request").asString()).isEqualTo("POST /payments");

        application.running.bean(SemelEngine.class).unknownOutcomes().attend(Set.of("create-payment"));
        assertThat(body(application.record(key))
                        .path("reconciling")
                        .path("resolver")
                        .asBoolean())
                .isTrue();

        body(application.resolve(key, "verdict", "happened", "status", "204"));
        JsonNode times = body(application.record(key)).path("times");
        assertThat(times.path("completed").asString())
                .isEqualTo(times.path("updated").asString());
    }

    @Test
    void stores_no_method_and_path_where_that_is_switched_off() {
        startWith(EXPOSED, "semel.http.describe-requests=false");
        application.pay(key);

        assertThat(body(application.record(key)).path("request").isString()).isFalse();
    }

    @Test
    void takes_numbers_as_numbers() {
        application.pay(key);
        long fence = body(application.record(key)).path("fence").asLong();

        body(application.write("/actuator/idempotency", """
                {"scope":"anonymous","key":"%s","fence":%d,"verdict":"happened","evidence":"INC-812","by":"alice",
                 "status":204}
                """.formatted(key, fence)));

        assertThat(application.pay(key).statusCode()).isEqualTo(204);
    }

    @Test
    void needs_a_key_like_everything_else_where_all_need_one_unless_it_is_excepted() {
        startWith(EXPOSED, UNRESTRICTED, "semel.unmatched=required");
        assertRefused(application.requeue(key), 400, "idempotency_key_missing");

        startWith(EXPOSED, UNRESTRICTED, "semel.unmatched=required", "semel.unprotected=* /actuator/**");
        assertRefused(application.requeue(key), 404, "no record of this key");
        assertThat(application.delete("/actuator/idempotency/expired").statusCode())
                .isEqualTo(200);
    }

    @Test
    void a_settled_record_is_kept_for_a_month_at_least() {
        application.pay(key);
        body(application.resolve(key, "verdict", "happened", "status", "204"));

        JsonNode times = body(application.record(key)).path("times");

        assertThat(Duration.between(
                        Instant.parse(times.path("updated").asString()),
                        Instant.parse(times.path("expires").asString())))
                .isEqualTo(Duration.ofDays(30));
    }

    @Test
    void settles_what_did_not_happen_and_the_next_request_executes() {
        application.pay(key);

        body(application.resolve(key, "verdict", "did-not-happen"));
        application.payments().failing = false;

        assertThat(application.pay(key).statusCode()).isEqualTo(201);
        assertThat(application.payments().taken).hasValue(2);
    }

    @Test
    void evidence_about_one_attempt_settles_no_other() {
        application.pay(key);
        long fence = body(application.record(key)).path("fence").asLong();

        assertRefused(
                application.resolve(key, "verdict", "did-not-happen", "fence", Long.toString(fence + 1)),
                409,
                "is not the last one, which has fence " + fence);
        application.assertState(key, "unknown");
        body(application.resolve(key, "verdict", "did-not-happen", "fence", Long.toString(fence)));
        application.assertState(key, "failed_retryable");
    }

    @Test
    void settles_nothing_that_is_not_unknown() {
        application.payments().failing = false;
        application.pay(key);

        assertRefused(
                application.resolve(key, "verdict", "did-not-happen"),
                409,
                "not unknown, it is completed: its response is on record and is replayed; nothing was changed");
        assertRefused(application.requeue(key), 409, "it is completed");
    }

    @Test
    void requeues_for_the_reconciler() {
        startWith(EXPOSED, UNRESTRICTED);
        application.pay(key);
        UnknownOutcomes unknown = application.running.bean(SemelEngine.class).unknownOutcomes();
        unknown.deadLetter(
                unknown.listUnknown(UnknownFilter.ALL, 10).get(0),
                new Evidence("resolver:create-payment", "no answer"));
        assertThat(body(application.record(key))
                        .path("reconciling")
                        .path("deadLettered")
                        .asBoolean())
                .isTrue();

        body(application.requeue(key));

        JsonNode record = body(application.record(key));
        assertThat(record.path("reconciling").path("deadLettered").asBoolean()).isFalse();
        assertThat(record.path("history").findValuesAsString("who")).contains("person:alice");
    }

    @Test
    void prunes_what_has_expired() {
        startWith(EXPOSED, UNRESTRICTED, "semel.pruning.enabled=false", "semel.defaults.retention=1ms");
        application.payments().failing = false;
        application.refund("r-1");
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> application.assertState("r-1", "expired"));

        assertThat(body(application.delete("/actuator/idempotency/expired?expiry=mark"))
                        .path("pruned")
                        .asInt())
                .isEqualTo(1);
        application.assertState("r-1", "expired");
        assertThat(body(application.delete("/actuator/idempotency/expired"))
                        .path("pruned")
                        .asInt())
                .isEqualTo(1);
        assertThat(application.record("r-1").statusCode()).isEqualTo(404);
        assertRefused(
                application.delete("/actuator/idempotency/expired?expiry=all"), 400, "expiry must be delete or mark");
    }

    @Test
    void shows_which_requests_are_protected_and_how() {
        JsonNode routes = body(application.get("/actuator/idempotency/routes")).path("routes");

        assertThat(routes.findValuesAsString("operation")).containsExactly("refund", "create-payment", "http");
        assertThat(routes.findValuesAsString("path")).containsExactly("/refunds/*", "/payments", "*");
        assertThat(routes.findValuesAsString("key")).containsExactly("derived", "required", "optional");
        JsonNode payments = routes.path(1);
        assertThat(payments.path("methods").asString()).isEqualTo("POST");
        assertThat(payments.path("retention").asString()).isEqualTo("PT168H");
        assertThat(payments.path("failures").asString()).isEqualTo("reconcile");
        assertThat(payments.path("inProgress").asString()).isEqualTo("conflict");
        assertThat(payments.path("where").asString()).isEqualTo("semel.operations.create-payment.match");
    }

    @Test
    void answers_503_when_the_store_is_unavailable() {
        application.store().down();

        assertRefused(application.get("/actuator/idempotency"), 503, "the store is unavailable");
        assertRefused(application.record(key), 503, "the store is unavailable");
        assertRefused(application.resolve(key, "verdict", "did-not-happen"), 503, "the store is unavailable");
    }
}
