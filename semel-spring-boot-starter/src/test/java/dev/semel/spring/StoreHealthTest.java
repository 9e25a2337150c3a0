package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Scope;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.testsupport.stores.ForwardingStore;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The health of the store")
class StoreHealthTest {

    private static final String DETAILS = "management.endpoint.health.show-details=always";

    private AutoCloseable application;

    @AfterEach
    void stop() throws Exception {
        application.close();
    }

    private OperatedApplication operated(String... more) {
        String[] properties = new String[more.length + 1];
        properties[0] = DETAILS;
        System.arraycopy(more, 0, properties, 1, more.length);
        OperatedApplication operated = new OperatedApplication(properties);
        application = operated;
        return operated;
    }

    private static JsonNode json(HttpResponse<String> response) {
        return new JsonMapper().readTree(response.body());
    }

    private static JsonNode details(OperatedApplication operated) {
        HttpResponse<String> response = operated.get("/actuator/health/semel");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).path("status").asString()).isEqualTo("UP");
        return json(response).path("details");
    }

    @Test
    void counts_what_waits_for_evidence() {
        OperatedApplication operated = operated();
        assertThat(details(operated).path("store").asString()).isEqualTo("FaultyStore");
        assertThat(details(operated).path("unknown").asInt(-1)).isZero();

        operated.pay("k-1");
        operated.pay("k-2");
        UnknownOutcomes unknown = operated.running.bean(SemelEngine.class).unknownOutcomes();
        unknown.deadLetter(
                unknown.listUnknown(UnknownFilter.ALL, 10).get(0),
                new Evidence("resolver:create-payment", "no answer"));

        assertThat(details(operated).path("unknown").asInt()).isEqualTo(2);
        assertThat(details(operated).path("deadLettered").asInt()).isEqualTo(1);
    }

    @Test
    void counts_no_further_than_a_person_would() {
        OperatedApplication operated = operated();
        SemelEngine semel = operated.running.bean(SemelEngine.class);
        for (int i = 0; i < 1001; i++) {
            Claim claim = semel.begin(Intent.of(
                    Operation.named("create-payment"), Scope.GLOBAL, Key.of("k-" + i), new Fingerprint("v1:0")));
            ((Claim.Granted) claim)
                    .attempt()
                    .settle(new Outcome.Unknown("a test"))
                    .toCompletableFuture()
                    .join();
        }

        assertThat(details(operated).path("unknown").asString()).isEqualTo("more than 1000");
        assertThat(details(operated).path("deadLettered").asInt(-1)).isZero();
    }

    @Test
    void is_down_with_the_reason_while_the_store_fails_and_up_when_it_is_back() {
        OperatedApplication operated = operated();
        operated.store().down();

        HttpResponse<String> down = operated.get("/actuator/health/semel");

        assertThat(down.statusCode()).isEqualTo(503);
        assertThat(json(down).path("status").asString()).isEqualTo("DOWN");
        assertThat(json(down).path("details").path("error").asString()).isEqualTo("injected: UNKNOWN REFUSED");
        assertThat(operated.get("/actuator/health").statusCode()).isEqualTo(503);
        operated.store().up();
        assertThat(operated.get("/actuator/health").statusCode()).isEqualTo(200);
    }

    @Test
    void can_be_left_out() {
        OperatedApplication operated = operated("management.health.semel.enabled=false");

        assertThat(operated.get("/actuator/health/semel").statusCode()).isEqualTo(404);
        assertThat(operated.get("/actuator/health").statusCode()).isEqualTo(200);
    }

    /** A store that blocks the calling thread, or one that never answers. */
    static final class HangingStore extends ForwardingStore {

        final CountDownLatch released = new CountDownLatch(1);
        volatile boolean keepsThreads;

        HangingStore() {
            super(new MemoryStore());
        }

        @Override
        public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
            if (keepsThreads) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return super.listUnknown(filter, limit);
        }
    }

    /** Without a stereotype: the applications of other tests scan this package. */
    @EnableAutoConfiguration
    static class Hanging {

        @Bean(destroyMethod = "")
        HangingStore store() {
            return new HangingStore();
        }
    }

    private static int statusOf(RunningApplication running) {
        return running.send(HttpRequest.newBuilder(running.uri("/actuator/health/semel")))
                .statusCode();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void is_down_while_the_store_blocks_its_callers_and_a_hundred_checks_take_few_threads() {
        RunningApplication running = RunningApplication.plain(Hanging.class, DETAILS);
        application = running;
        HangingStore store = running.bean(HangingStore.class);
        assertThat(statusOf(running)).isEqualTo(200);

        store.keepsThreads = true;
        List<CompletableFuture<Integer>> checks = IntStream.range(0, 100)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> statusOf(running), task -> new Thread(task).start()))
                .toList();

        assertThat(checks).allSatisfy(check -> assertThat(check.join()).isEqualTo(503));
        assertThat(healthThreads()).isLessThanOrEqualTo(3);
        store.keepsThreads = false;
        store.released.countDown();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(statusOf(running)).isEqualTo(200));
    }

    private static long healthThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("semel-health"))
                .count();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void is_down_while_the_store_never_answers_and_up_when_it_answers_the_next_check() {
        RunningApplication running = RunningApplication.plain(Hanging.class, DETAILS);
        application = running;
        HangingStore store = running.bean(HangingStore.class);

        store.keepsThreads = true;
        for (int i = 0; i < 2; i++) {
            assertThat(statusOf(running)).isEqualTo(503);
        }
        store.keepsThreads = false;

        assertThat(statusOf(running)).isEqualTo(200);
        store.released.countDown();
    }
}
