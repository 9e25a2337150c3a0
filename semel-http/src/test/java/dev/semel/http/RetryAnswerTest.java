package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Response;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What operators see of the answer to a retry is what the gate answers")
class RetryAnswerTest {

    private static final Operation PAY = Operation.named("pay").lease(Duration.ofMinutes(5));
    private static final Evidence LOOKED = new Evidence("test", "looked");

    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private final SemelEngine semel = SemelEngine.on(new MemoryStore(() -> now)).build();
    private final UnknownOutcomes unknowns = semel.unknownOutcomes();

    @AfterEach
    void close() {
        semel.close();
    }

    private static RequestView request() {
        return RequestView.of("POST", "/p")
                .headers(Headers.of("idempotency-key", "k"))
                .build();
    }

    private Decision retry(Operation operation) {
        RoutePolicy policy = RoutePolicy.of(operation).build();
        Routes routes = Routes.builder().protect("POST", "*", policy).build();
        return Gate.on(semel, routes, ScopeStrategy.fixed(Scope.GLOBAL))
                .sendsTrailers()
                .answerHeaders(false)
                .build()
                .claim(policy, request());
    }

    private Run begin(Operation operation) {
        return ((Decision.Proceed) retry(operation)).run();
    }

    private StoredRecord record() {
        return semel.records().find(Identity.of("global", "k")).orElseThrow();
    }

    /** Tells first, since a retry that executes changes the record. */
    private void assertTold(State state, Operation operation) {
        StoredRecord record = record();
        assertThat(record.state()).isEqualTo(state);
        Optional<Answer> told = RetryAnswer.of(record);
        Decision decided = retry(operation);
        assertThat(decided instanceof Decision.Reply reply ? Optional.of(reply.answer()) : Optional.empty())
                .isEqualTo(told);
    }

    private void complete(HandlerResult result) {
        begin(PAY).settle(result).toCompletableFuture().join();
    }

    @Test
    void in_progress() {
        begin(PAY);
        now = now.plusSeconds(1);
        assertTold(State.IN_PROGRESS, PAY);
    }

    @Test
    void in_progress_after_the_lease() {
        begin(PAY);
        now = now.plus(Duration.ofHours(1));
        assertTold(State.IN_PROGRESS, PAY);
    }

    @Test
    void in_progress_after_the_lease_of_an_operation_that_may_execute_again() {
        Operation again = PAY.reexecutableAfterCrash();
        begin(again);
        now = now.plus(Duration.ofHours(1));
        assertTold(State.IN_PROGRESS, again);
    }

    @Test
    void completed() {
        complete(new HandlerResult.Responded(201, Headers.of("Location", "/p/7"), Body.ofText("paid"), null));
        assertTold(State.COMPLETED, PAY);
    }

    @Test
    void completed_with_trailers() {
        Headers trailers = Headers.of("grpc-status", "0");
        complete(new HandlerResult.Responded(200, Headers.NONE, Body.ofText("hi"), null, trailers));
        assertTold(State.COMPLETED, PAY);
    }

    @Test
    void completed_without_its_response() {
        complete(new HandlerResult.TooLarge(200, Headers.NONE));
        assertTold(State.COMPLETED, PAY);
    }

    @Test
    void completed_by_another_transport() {
        begin(PAY);
        now = now.plus(Duration.ofHours(1));
        assertThat(unknowns.sweep(10)).hasSize(1);
        unknowns.settle(
                record().lease(), PAY.retention(), new Verdict.Happened(Response.of(new byte[] {9}), "seen"), "test");
        assertTold(State.COMPLETED, PAY);
    }

    @Test
    void failed_and_retryable() {
        begin(PAY);
        now = now.plus(Duration.ofHours(1));
        unknowns.sweep(10);
        unknowns.settle(record().lease(), PAY.retention(), new Verdict.DidNotHappen("no such charge"), "test");
        assertTold(State.FAILED_RETRYABLE, PAY);
    }

    @Test
    void unknown() {
        begin(PAY);
        now = now.plus(Duration.ofHours(1));
        assertThat(unknowns.sweep(10)).hasSize(1);
        assertTold(State.UNKNOWN, PAY);
    }

    @Test
    void dead_lettered() {
        begin(PAY);
        now = now.plus(Duration.ofHours(1));
        unknowns.sweep(10);
        StoredRecord due = unknowns.due("pay", 1, Duration.ofMinutes(1)).get(0);
        assertThat(unknowns.deadLetter(due, LOOKED)).isTrue();
        assertThat(record().isDeadLettered()).isTrue();
        assertTold(State.UNKNOWN, PAY);
    }

    @Test
    void expired() {
        complete(new HandlerResult.Responded(201, Headers.NONE, Body.ofText("paid"), null));
        now = now.plus(PAY.retention()).plusSeconds(1);
        assertTold(State.EXPIRED, PAY);
    }

    @Test
    void forgotten() {
        complete(new HandlerResult.Responded(201, Headers.NONE, Body.ofText("paid"), null));
        semel.records().forget(record().lease(), LOOKED);
        assertTold(State.EXPIRED, PAY);
    }
}
