package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.Verdict;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A repeated call")
class ReplayTest {

    private static Metadata.Key<String> text(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private static Metadata.Key<byte[]> binary(String name) {
        return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
    }

    private static AddingMetadata metadata() {
        Metadata headers = new Metadata();
        headers.put(text("x-part"), "one");
        headers.put(text("x-part"), "two");
        headers.put(text("set-cookie"), "session=secret");
        Metadata trailers = new Metadata();
        trailers.put(binary("grpc-status-details-bin"), new byte[] {0, -1, 44, 10});
        trailers.put(text("x-cost"), "7");
        trailers.put(text("authorization"), "secret");
        return new AddingMetadata(headers, trailers);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1 << 16, 1 << 20})
    void i3_gets_the_message_headers_and_trailers_of_the_first_byte_for_byte(int length) {
        byte[] message = new byte[length];
        new Random(length).nextBytes(message);
        ShopServer.Settings settings = ShopServer.settings().inner(metadata());
        try (ShopServer server = settings.start((request, answer) -> {
            answer.onNext(message);
            answer.onCompleted();
        })) {
            Answer first = server.charge("k");
            Answer second = server.charge("k");

            assertThat(first.code()).isEqualTo(Status.Code.OK);
            assertThat(first.message()).isEqualTo(message);
            assertThat(first.replayed()).isFalse();
            assertThat(first.headers().getAll(text("x-part"))).containsExactly("one", "two");
            assertThat(first.headers().get(text("set-cookie"))).isEqualTo("session=secret");
            assertThat(second.replayed()).isTrue();
            assertThat(second.message()).isEqualTo(message);
            assertThat(second.headers().get(text("set-cookie"))).isNull();
            assertThat(second.trailers().get(text("authorization"))).isNull();
            first.headers().discardAll(text("set-cookie"));
            first.trailers().discardAll(text("authorization"));
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void gets_the_bytes_of_the_first_although_messages_change_when_they_are_read() {
        try (ShopServer server = ShopServer.of(ShopServer.saying("unused"))) {
            Answer first = server.send(Shop.QUOTE, ShopServer.key("k"), "7 EUR").join();
            Answer second =
                    server.send(Shop.QUOTE, ShopServer.key("k"), "7 EUR").join();

            assertThat(first.text()).startsWith("7 EUR");
            assertThat(second.replayed()).isTrue();
            assertThat(second.message()).isEqualTo(first.message());
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void is_told_that_the_answer_is_not_kept_where_its_bytes_are_no_message_any_more() {
        try (ShopServer server = ShopServer.of(ShopServer.saying("unused"))) {
            server.send(Shop.QUOTE, ShopServer.key("k"), "lost").join();
            server.semel.settle(
                    Operation.named("quote"),
                    Identity.of("alice", "k"),
                    new Verdict.Happened(
                            RecordedReply.ok(Shop.QUOTE, Shop.bytes(Shop.UNREADABLE))
                                    .toResponse(),
                            "seen"),
                    "operator");
            server.send(Shop.QUOTE, ShopServer.key("k"), "lost")
                    .join()
                    .assertRefused(RefusalCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void gets_a_failure_with_its_description_and_details() {
        ShopServer.Settings settings = ShopServer.settings().inner(metadata());
        try (ShopServer server = settings.start((request, answer) -> answer.onError(Status.FAILED_PRECONDITION
                .withDescription("Zoë's card is \"blocked\"\n")
                .asException()))) {
            Answer first = server.charge("k");
            Answer second = server.charge("k");

            assertThat(first.code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(first.status().getDescription()).isEqualTo("Zoë's card is \"blocked\"\n");
            assertThat(first.trailers().get(binary("grpc-status-details-bin"))).containsExactly(0, -1, 44, 10);
            assertThat(second.replayed()).isTrue();
            first.trailers().discardAll(text("authorization"));
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    /** The states that a record has after an answer with each code, under each policy. */
    private static State expected(Status.Code code, Failures failures) {
        return switch (code) {
            case UNAUTHENTICATED, PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNIMPLEMENTED -> State.FAILED_RETRYABLE;
            case CANCELLED, DEADLINE_EXCEEDED -> State.UNKNOWN;
            case UNKNOWN, INTERNAL, UNAVAILABLE, DATA_LOSS ->
                switch (failures) {
                    case REPLAY -> State.COMPLETED;
                    case RETRY -> State.FAILED_RETRYABLE;
                    case RECONCILE -> State.UNKNOWN;
                };
            default -> State.COMPLETED;
        };
    }

    @ParameterizedTest
    @EnumSource(Failures.class)
    void gets_what_the_code_of_the_first_answer_means(Failures failures) {
        ShopServer.Settings settings = ShopServer.settings().operation(operation -> operation.failures(failures));
        try (ShopServer server = settings.start((request, answer) -> {
            Status.Code code = Status.Code.valueOf(new String(request));
            if (code == Status.Code.OK) {
                answer.onNext(request);
                answer.onCompleted();
            } else {
                answer.onError(code.toStatus().withDescription("said").asRuntimeException());
            }
        })) {
            for (Status.Code code : Status.Code.values()) {
                Metadata key = ShopServer.key("key-of-" + code);
                Answer first = server.send(Shop.CHARGE, key, code.name()).join();
                assertThat(first.code()).isEqualTo(code);
                State state = expected(code, failures);
                assertThat(server.state("key-of-" + code)).as(code.name()).isEqualTo(state);
                int before = server.executions.get();
                Answer second = server.send(Shop.CHARGE, key, code.name()).join();
                switch (state) {
                    case COMPLETED -> {
                        assertThat(second.replayed()).isTrue();
                        assertThat(second.essence()).isEqualTo(first.essence());
                    }
                    case UNKNOWN -> second.assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
                    default -> assertThat(second.essence()).isEqualTo(first.essence());
                }
                int again = state == State.FAILED_RETRYABLE ? 1 : 0;
                assertThat(server.executions.get() - before).isEqualTo(again);
            }
        }
    }

    @Test
    void gets_what_a_rule_says_of_the_first_answer() {
        ShopServer.Settings settings = ShopServer.settings()
                .policy(policy -> policy.statusRule((status, trailers) ->
                        status.getCode() == Status.Code.ABORTED ? Optional.of(Failures.RETRY) : Optional.empty()));
        try (ShopServer server =
                settings.start((request, answer) -> answer.onError(Status.ABORTED.asRuntimeException()))) {
            server.charge("k");
            server.charge("k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void does_not_execute_again_although_the_message_was_too_large_to_keep() {
        ShopServer.Settings settings = ShopServer.settings().policy(policy -> policy.maxRecordedResponse(10));
        try (ShopServer server = settings.start((request, answer) -> {
            answer.onNext(new byte[11]);
            answer.onCompleted();
        })) {
            assertThat(server.charge("k").message()).hasSize(11);
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void gets_what_evidence_has_settled_the_first_one_with() {
        Operation operation = Operation.named("charge");
        AtomicInteger bank = new AtomicInteger();
        try (ShopServer server = ShopServer.of((request, answer) -> {
            bank.incrementAndGet();
            answer.onError(Status.DEADLINE_EXCEEDED.asException());
        })) {
            server.charge("a");
            server.charge("b");
            server.charge("c");
            Response receipt =
                    RecordedReply.ok(Shop.CHARGE, Shop.bytes("receipt 7")).toResponse();
            Response declined = RecordedReply.failure(
                            Status.FAILED_PRECONDITION.withDescription("declined"), new Metadata())
                    .toResponse();
            server.semel.settle(
                    operation, Identity.of("alice", "a"), new Verdict.Happened(receipt, "statement 7"), "bank");
            server.semel.settle(
                    operation, Identity.of("alice", "b"), new Verdict.Happened(declined, "statement 8"), "bank");
            server.semel.settle(
                    operation,
                    Identity.of("alice", "c"),
                    new Verdict.Happened(Response.of(new byte[] {1, 2, 3}), "seen"),
                    "operator");

            assertThat(server.charge("a").text()).isEqualTo("receipt 7");
            assertThat(server.charge("a").replayed()).isTrue();
            assertThat(server.charge("b").status().getDescription()).isEqualTo("declined");
            server.charge("c").assertRefused(RefusalCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED);
            assertThat(bank).hasValue(3);
        }
    }
}
