package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The protocol without a transport, as a transport that does not block uses it. */
class GateTest {

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final RoutePolicy policy = RoutePolicy.of(Operation.named("pay")).build();
    private final Routes routes = Routes.builder().protect("POST", "*", policy).build();
    private final Gate gate = gate(Fingerprinter.sha256());

    @AfterEach
    void close() {
        semel.close();
    }

    private Gate gate(Fingerprinter fingerprinter) {
        return Gate.on(semel, routes, ScopeStrategy.fixed(Scope.GLOBAL))
                .fingerprinter(fingerprinter)
                .build();
    }

    private static RequestView request(String key) {
        return RequestView.of("POST", "/p")
                .headers(Headers.of("idempotency-key", key))
                .build();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static HandlerResult response(int status, Headers headers, Body body) {
        return new HandlerResult.Responded(status, headers, body, null);
    }

    private String storedRequest(Gate through, String key) {
        RequestView request = RequestView.of("POST", "/payments/%34%32;jsessionid=secret")
                .rawQuery("card=4111")
                .headers(Headers.of("idempotency-key", key))
                .build();
        now(through.claimAsync(policy, request));
        return now(store.find(Identity.of("global", key))).orElseThrow().request();
    }

    @Test
    void method_and_path_are_on_the_record_without_query_and_parameters() {
        assertThat(storedRequest(gate, "described")).isEqualTo("POST /payments/42");
    }

    @Test
    void method_and_path_are_not_on_the_record_where_they_must_not_be_stored() {
        Gate silent = Gate.on(semel, routes, ScopeStrategy.fixed(Scope.GLOBAL))
                .describeRequests(false)
                .build();

        assertThat(storedRequest(silent, "silent")).isNull();
    }

    @Test
    void a_request_is_claimed_run_and_replayed_without_blocking() {
        assertThat(gate.admit(request("k"))).isEqualTo(new Admission.Protect(policy));
        Run run = ((Decision.Proceed) now(gate.claimAsync(policy, request("k")))).run();
        assertThat(now(run.settle(response(201, Headers.of("X-A", "1"), Body.ofText("hi")))))
                .isInstanceOf(Ending.AsProduced.class);

        Answer replay = ((Decision.Reply) now(gate.claimAsync(policy, request("k")))).answer();
        assertThat(withoutPromise(replay))
                .isEqualTo(new Answer(201, Headers.of("X-A", "1").with(Answer.REPLAYED, "true"), Body.ofText("hi")));
    }

    private static Answer withoutPromise(Answer answer) {
        Headers rest = answer.headers()
                .without("Idempotency-Key")
                .without("Idempotency-Expires")
                .without("Idempotency-Age");
        return new Answer(answer.status(), rest, answer.body(), answer.trailers());
    }

    /** A replay without its trailers would be another response. */
    @Test
    void a_response_with_trailers_is_replayed_by_transports_that_send_them_and_by_no_other() {
        Headers trailers = Headers.of("grpc-status", "0");
        Run run = ((Decision.Proceed) gate.claim(policy, request("k"))).run();
        now(run.settle(new HandlerResult.Responded(200, Headers.NONE, Body.ofText("hi"), null, trailers)));
        Gate sending = Gate.on(semel, routes, ScopeStrategy.fixed(Scope.GLOBAL))
                .sendsTrailers()
                .build();

        assertThat(withoutPromise(((Decision.Reply) sending.claim(policy, request("k"))).answer()))
                .isEqualTo(new Answer(200, Headers.of(Answer.REPLAYED, "true"), Body.ofText("hi"), trailers));
        assertThat(((Decision.Reply) gate.claim(policy, request("k"))).answer().status())
                .isEqualTo(409);
    }

    @Test
    void a_request_has_the_identity_that_it_is_claimed_with() {
        assertThat(gate.identityOf(policy, request("k"))).hasValue(Identity.of("global", "k"));
        assertThat(gate.identityOf(policy, request("\"open"))).isEmpty();
    }

    @Test
    void a_response_longer_than_what_is_kept_is_recorded_without_its_body() {
        Run run = ((Decision.Proceed) gate.claim(policy, request("k"))).run();
        now(run.settle(response(200, Headers.NONE, Body.of(new byte[policy.maxRecordedResponse() + 1]))));

        assertThat(((Decision.Reply) gate.claim(policy, request("k"))).answer().status())
                .isEqualTo(409);
    }

    /** The run was never settled, and its key in progress for good. */
    @Test
    void a_response_that_cannot_be_recorded_leaves_the_outcome_unknown() {
        Run run = ((Decision.Proceed) gate.claim(policy, request("k"))).run();

        assertThat(now(run.settle(response(1000, Headers.NONE, Body.ofText("paid")))))
                .isInstanceOfSatisfying(
                        Ending.Replacement.class,
                        instead -> assertThat(instead.answer().status()).isEqualTo(409));
        assertThat(now(store.find(Identity.of("global", "k"))).orElseThrow().state())
                .isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_store_that_is_down_refuses_without_blocking() {
        store.down();

        assertThat(((Decision.Reply) now(gate.claimAsync(policy, request("k"))))
                        .answer()
                        .status())
                .isEqualTo(503);
    }

    @Test
    void a_refused_request_never_asks_the_store() {
        store.down();

        assertThat(((Decision.Reply) now(gate.claimAsync(policy, request("\"open"))))
                        .answer()
                        .status())
                .isEqualTo(400);
        assertThat(gate.admit(RequestView.of("POST", "/p").build())).isInstanceOf(Admission.Reply.class);
        assertThat(gate.admit(RequestView.of("GET", "/p").build())).isEqualTo(new Admission.PassThrough());
        assertThat(gate.admit(RequestView.of("GET", "/idempotency/status").build()))
                .isEqualTo(new Admission.Status());
    }

    @Test
    void a_fingerprint_of_before_the_secret_was_introduced_is_recognized() {
        Run run = ((Decision.Proceed) gate.claim(policy, request("k"))).run();
        now(run.settle(response(200, Headers.NONE, Body.EMPTY)));
        Gate secret = gate(Fingerprinter.hmac("2026", "a secret of 16 bytes or more".getBytes()));

        Answer replay = ((Decision.Reply) secret.claim(policy, request("k"))).answer();
        assertThat(replay.headers().first(Answer.REPLAYED)).hasValue("true");
        Answer other = ((Decision.Reply) secret.claim(policy, request("k").withBody(Body.ofText("x")))).answer();
        assertThat(other.status()).isEqualTo(422);
    }

    @Test
    void a_transport_that_begins_no_transaction_cannot_claim_where_one_is_needed() {
        RoutePolicy inTransaction =
                RoutePolicy.of(Operation.named("pay")).inTransaction(work -> {}).build();

        assertThatIllegalStateException().isThrownBy(() -> gate.claim(inTransaction, request("k")));
        assertThatIllegalStateException().isThrownBy(() -> gate.claimAsync(inTransaction, request("k")));
        assertThatIllegalStateException()
                .isThrownBy(() -> gate.transact(policy, request("k"), (run, connection) -> new Ending.AsProduced()));
    }

    @Test
    void a_refused_request_begins_no_transaction() {
        RoutePolicy inTransaction = RoutePolicy.of(Operation.named("pay"))
                .inTransaction(work -> {
                    throw new IllegalStateException("begun");
                })
                .build();

        Ending ending = gate.transact(inTransaction, request("\"open"), (run, connection) -> new Ending.AsProduced());

        assertThat(((Ending.Replacement) ending).answer().status()).isEqualTo(400);
    }

    @Test
    void contradictory_settings_are_refused() {
        GateBuilder builder = Gate.on(semel, routes, ScopeStrategy.fromPrincipal());

        assertThatIllegalArgumentException().isThrownBy(() -> builder.statusPath("status"));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.statusPath("/a/../b"));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.keyHeader("no header"));
    }
}
