package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.Verdict;
import dev.semel.server.gateway.config.GrpcStatusRule;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unary calls of a real client of gRPC to a real server, through the gateway; neither knows of it. */
@DisplayName("A call of gRPC")
class GrpcTest {

    private static final CallOptions PATIENT = CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS);

    private GrpcShop shop;

    @BeforeEach
    void open() throws IOException {
        shop = new GrpcShop();
    }

    @AfterEach
    void close() throws Exception {
        shop.close();
    }

    private TestGateway gateway(Operation operation) {
        return TestGateway.before(
                shop.url(),
                TestGateway.Settings.standard()
                        .operation(operation)
                        .policy(policy -> policy.responseRule(new GrpcStatusRule(operation.failures()))));
    }

    private TestGateway gateway() {
        return gateway(Operation.named("pay"));
    }

    @Test
    void runs_once_and_is_replayed_with_its_message_status_and_metadata() throws Exception {
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            GrpcShop.Answer first = client.charge("k", "100");
            GrpcShop.Answer second = client.charge("k", "100");

            assertThat(first.status().isOk()).isTrue();
            assertThat(first.message()).isEqualTo("paid 100");
            assertThat(first.replayed()).isFalse();
            assertThat(second.status().isOk()).isTrue();
            assertThat(second.message()).isEqualTo("paid 100");
            assertThat(second.replayed()).isTrue();
            assertThat(shop.executions).hasValue(1);
            assertThat(shop.lastHeaders.get(GrpcShop.KEY)).isEqualTo("k");
        }
    }

    @Test
    void that_fails_for_good_is_replayed_with_its_status_and_trailers() throws Exception {
        Metadata.Key<byte[]> details = Metadata.Key.of("why-bin", Metadata.BINARY_BYTE_MARSHALLER);
        shop.handler = (request, answer) -> {
            Metadata trailers = new Metadata();
            trailers.put(details, new byte[] {0, 1, -1});
            answer.onError(Status.FAILED_PRECONDITION
                    .withDescription("no money: 100 %")
                    .asException(trailers));
        };
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            for (boolean replayed : List.of(false, true)) {
                GrpcShop.Answer answer = client.charge("k", "100");
                assertThat(answer.status().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
                assertThat(answer.status().getDescription()).isEqualTo("no money: 100 %");
                assertThat(answer.trailers().get(details)).containsExactly(0, 1, -1);
                assertThat(answer.replayed()).isEqualTo(replayed);
            }
            assertThat(shop.executions).hasValue(1);
        }
    }

    @Test
    void with_another_message_under_the_same_key_is_refused() throws Exception {
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            client.charge("k", "100");
            GrpcShop.Answer other = client.charge("k", "200");
            assertThat(other.status().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(other.trailer("idempotency-code")).isEqualTo("idempotency_key_reused_with_different_payload");
            assertThat(other.trailer("idempotency-retryable")).isEqualTo("false");
            assertThat(shop.executions).hasValue(1);
        }
    }

    @Test
    void that_is_in_progress_or_has_no_key_is_refused_with_a_status() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        shop.handler = (request, answer) -> {
            go.await();
            answer.onNext("paid");
            answer.onCompleted();
        };
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            GrpcShop.Started first = client.start("k", "100", PATIENT);
            await().atMost(TestGateway.LONG).until(() -> shop.executions.get() == 1);
            GrpcShop.Answer second = client.charge("k", "100");
            assertThat(second.status().getCode()).isEqualTo(Status.Code.ABORTED);
            assertThat(second.trailer("idempotency-code")).isEqualTo("idempotency_key_in_progress");
            assertThat(second.trailer("idempotency-retryable")).isEqualTo("true");
            assertThat(second.trailer("idempotency-retry-after")).isNotEmpty();
            go.countDown();
            assertThat(first.answer().join().message()).isEqualTo("paid");

            GrpcShop.Answer missing =
                    client.start((String) null, "100", PATIENT).answer().join();
            assertThat(missing.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(missing.status().getDescription()).contains("needs a key");
            assertThat(missing.trailer("idempotency-code")).isEqualTo("idempotency_key_missing");
        }
    }

    @Test
    void of_64_duplicates_runs_once() throws Exception {
        try (TestGateway gateway = gateway(Operation.named("pay").waitUpTo(TestGateway.LONG));
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            List<GrpcShop.Started> all = IntStream.range(0, 64)
                    .mapToObj(i -> client.start("k", "100", PATIENT))
                    .toList();
            assertThat(all)
                    .allSatisfy(started ->
                            assertThat(started.answer().join().message()).isEqualTo("paid 100"));
            assertThat(shop.executions).hasValue(1);
        }
    }

    @Test
    void whose_server_is_killed_is_unknown_and_whose_server_is_down_was_not_executed() throws Exception {
        shop.handler = (request, answer) -> shop.kill();
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            GrpcShop.Answer lost = client.charge("k", "100");
            assertThat(lost.status().getCode()).isEqualTo(Status.Code.ABORTED);
            assertThat(lost.trailer("idempotency-code")).isEqualTo("idempotency_outcome_unknown");
            assertThat(client.charge("k", "100").trailer("idempotency-code")).isEqualTo("idempotency_outcome_unknown");
            assertThat(shop.executions).hasValue(1);

            GrpcShop.Answer down = client.charge("other", "100");
            assertThat(down.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(down.trailer("idempotency-code")).isEqualTo("idempotency_not_executed");
            assertThat(gateway.state("other")).isEqualTo(State.FAILED_RETRYABLE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "UNAUTHENTICATED, REPLAY, FAILED_RETRYABLE",
        "PERMISSION_DENIED, REPLAY, FAILED_RETRYABLE",
        "RESOURCE_EXHAUSTED, REPLAY, FAILED_RETRYABLE",
        "CANCELLED, REPLAY, UNKNOWN",
        "DEADLINE_EXCEEDED, REPLAY, UNKNOWN",
        "INTERNAL, REPLAY, COMPLETED",
        "INTERNAL, RETRY, FAILED_RETRYABLE",
        "UNAVAILABLE, RECONCILE, UNKNOWN",
        "NOT_FOUND, RECONCILE, COMPLETED"
    })
    void leaves_a_record_by_its_status(Status.Code code, Failures failures, State state) throws Exception {
        shop.handler = (request, answer) -> answer.onError(code.toStatus().asException());
        try (TestGateway gateway = gateway(Operation.named("pay").failures(failures));
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            assertThat(client.charge("k", "100").status().getCode()).isEqualTo(code);
            assertThat(gateway.state("k")).isEqualTo(state);
        }
    }

    /** Neither the deadline nor the cancellation of a client reaches the server: what it was about to do would be unknown. */
    @Test
    void whose_client_gives_up_is_executed_and_recorded() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        shop.handler = (request, answer) -> {
            go.await();
            answer.onNext("paid");
            answer.onCompleted();
        };
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            GrpcShop.Started first = client.start("k", "100", PATIENT);
            await().atMost(TestGateway.LONG).until(() -> shop.executions.get() == 1);
            assertThat(shop.lastHeaders.get(GrpcShop.text("grpc-timeout"))).isNull();
            first.call().cancel("given up", null);
            go.countDown();
            await().atMost(TestGateway.LONG).until(() -> gateway.state("k") == State.COMPLETED);
            assertThat(client.charge("k", "100").message()).isEqualTo("paid");
            assertThat(shop.executions).hasValue(1);
        }
    }

    @Test
    void with_a_binary_key_is_refused_instead_of_passed_without_protection() throws Exception {
        try (TestGateway gateway = TestGateway.before(
                        shop.url(), TestGateway.Settings.standard().policy(policy -> policy.keyOptional()));
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            Metadata headers = new Metadata();
            headers.put(Metadata.Key.of("idempotency-key-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {1});
            GrpcShop.Answer answer =
                    client.start(headers, "100", PATIENT).answer().join();
            assertThat(answer.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(answer.trailer("idempotency-code")).isEqualTo("idempotency_key_invalid");
            assertThat(shop.executions).hasValue(0);
        }
    }

    @Test
    void that_streams_with_a_key_is_refused() throws Exception {
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            Metadata headers = new Metadata();
            headers.put(GrpcShop.KEY, "k");
            ClientCall<String, String> call = client.channel.newCall(GrpcShop.CHAT, PATIENT);
            BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            seen.add(status.getCode() + " " + trailers.get(GrpcShop.text("idempotency-code")));
                        }
                    },
                    headers);
            call.request(10);
            call.sendMessage("one");
            call.sendMessage("two");
            call.halfClose();
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("INVALID_ARGUMENT idempotency_streaming_unsupported");
            assertThat(gateway.state("k")).isNull();
        }
    }

    /** The server speaks first, so that each head has to be sent before there is a message. */
    @Test
    void that_streams_passes_where_it_is_not_protected() throws Exception {
        try (TestGateway gateway = TestGateway.before(
                        shop.url(), TestGateway.Settings.standard().policy(policy -> policy.keyOptional()));
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            StreamObserver<String> say = ClientCalls.asyncBidiStreamingCall(
                    client.channel.newCall(GrpcShop.CHAT, PATIENT), new StreamObserver<>() {
                        @Override
                        public void onNext(String message) {
                            heard.add(message);
                        }

                        @Override
                        public void onError(Throwable failure) {
                            heard.add(failure.toString());
                        }

                        @Override
                        public void onCompleted() {
                            heard.add("completed");
                        }
                    });
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("welcome");
            say.onNext("one");
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("echo one");
            say.onNext("two");
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("echo two");
            say.onCompleted();
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("completed");
        }
    }

    /** Evidence has no message of the method: the client gets the answer that the call ran, as a status that it understands. */
    @Test
    void that_was_settled_by_evidence_is_answered_with_a_status() throws Exception {
        shop.handler = (request, answer) -> answer.onError(Status.CANCELLED.asException());
        try (TestGateway gateway = gateway();
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            client.charge("k", "100");
            gateway.semel
                    .unknownOutcomes()
                    .settle(
                            Identity.of("shared", "k"),
                            Duration.ofHours(1),
                            new Verdict.Happened(
                                    RecordedResponse.of(
                                                    201,
                                                    Headers.of("Content-Type", "application/json"),
                                                    Body.ofText("{}"))
                                            .toResponse(),
                                    "statement"),
                            "person:alice");
            GrpcShop.Answer settled = client.charge("k", "100");
            assertThat(settled.status().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(settled.trailer("idempotency-code")).isEqualTo("idempotency_response_not_retained");
        }
    }

    /** A proxy in between may end an answer in order, and lose its trailers. */
    @Test
    void whose_answer_has_no_status_is_unknown() throws Exception {
        try (VertxService service = new VertxService(request -> request.body()
                        .onSuccess(body -> request.response()
                                .putHeader("Content-Type", "application/grpc")
                                .end("\0\0\0\0\4paid")));
                TestGateway gateway = TestGateway.before(service.url("h2c"));
                GrpcShop.Client client = new GrpcShop.Client(gateway.port())) {
            GrpcShop.Answer answer = client.charge("k", "100");
            assertThat(answer.trailer("idempotency-code")).isEqualTo("idempotency_outcome_unknown");
            assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
        }
    }
}
