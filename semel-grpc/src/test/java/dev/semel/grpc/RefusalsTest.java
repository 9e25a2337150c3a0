package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.ProblemCode;
import dev.semel.key.KeyHygiene;
import dev.semel.memory.MemoryStore;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A call is refused")
class RefusalsTest {

    private static ShopServer server() {
        return ShopServer.of(ShopServer.saying("charged"));
    }

    private static Answer send(ShopServer server, Metadata headers) {
        return server.send(Shop.CHARGE, headers, "100 EUR").join();
    }

    @Test
    void without_a_required_key() {
        try (ShopServer server = server()) {
            send(server, new Metadata()).assertRefused(RefusalCode.IDEMPOTENCY_KEY_MISSING);
            assertThat(server.executions).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "has space", "a,b"})
    void with_a_key_that_is_no_visible_ascii(String key) {
        try (ShopServer server = server()) {
            server.charge(key).assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    void with_a_key_that_is_too_long_or_repeated() {
        try (ShopServer server = server()) {
            server.charge("k".repeat(256)).assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
            assertThat(server.charge("k".repeat(255)).text()).isEqualTo("charged");
            Metadata twice = ShopServer.key("a");
            twice.put(IdempotencyMetadata.KEY, "a");
            send(server, twice).assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
            Metadata both = ShopServer.key("a");
            both.put(IdempotencyMetadata.BINARY_KEY, new byte[] {1});
            send(server, both).assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
            assertThat(server.executions).hasValue(1);
        }
    }

    private static String keyOf(Instant time) {
        return new UUID(time.toEpochMilli() << 16 | 0x7000, 0x8000000000000001L).toString();
    }

    @Test
    void with_a_key_whose_retention_has_passed_or_whose_time_is_not_reached() {
        try (ShopServer server = server()) {
            server.charge(keyOf(Instant.now().minus(Duration.ofDays(2))))
                    .assertRefused(RefusalCode.IDEMPOTENCY_KEY_EXPIRED);
            server.charge(keyOf(Instant.now().plus(Duration.ofDays(2))))
                    .assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
            assertThat(server.executions).hasValue(0);
        }
    }

    private static Metadata binary(byte... bytes) {
        Metadata headers = new Metadata();
        headers.put(IdempotencyMetadata.BINARY_KEY, bytes);
        return headers;
    }

    @Test
    void not_with_a_binary_key_which_is_the_same_only_if_its_bytes_are() {
        try (ShopServer server = server()) {
            byte[] longest = new byte[128];
            Arrays.fill(longest, (byte) 0xFF);
            assertThat(send(server, binary((byte) 0, (byte) ',', (byte) -1)).replayed())
                    .isFalse();
            assertThat(send(server, binary((byte) 0, (byte) ',', (byte) -1)).replayed())
                    .isTrue();
            assertThat(send(server, binary((byte) 0, (byte) ',', (byte) -2)).replayed())
                    .isFalse();
            assertThat(send(server, binary(longest)).replayed()).isFalse();
            assertThat(send(server, binary(longest)).replayed()).isTrue();
            assertThat(server.executions).hasValue(3);
            send(server, binary()).assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
            send(server, binary(new byte[129])).assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
        }
    }

    @Test
    void with_a_poor_key_where_the_policy_says_so() {
        ShopServer.Settings settings = ShopServer.settings().policy(policy -> policy.keyHygiene(KeyHygiene.REFUSE));
        try (ShopServer server = settings.start(ShopServer.saying("charged"))) {
            server.charge("alice@example.org").assertRefused(RefusalCode.IDEMPOTENCY_KEY_INVALID);
            assertThat(server.charge("8e03978e-40d5-43dd-bc93-6894a57f9324").text())
                    .isEqualTo("charged");
        }
    }

    @Test
    void where_its_caller_is_not_known() {
        try (ShopServer server = server()) {
            Metadata headers = ShopServer.key("k");
            headers.put(Shop.USER, "anonymous");
            send(server, headers).assertRefused(RefusalCode.IDEMPOTENCY_SCOPE_MISSING);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    void where_it_names_no_or_two_or_an_impossible_owner() {
        ShopServer.Settings settings = ShopServer.settings().scope(CallScope.fromMetadata(Shop.USER));
        try (ShopServer server = settings.start(ShopServer.saying("charged"))) {
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_SCOPE_MISSING);
            Metadata headers = ShopServer.key("k");
            headers.put(Shop.USER, "a");
            assertThat(send(server, headers).text()).isEqualTo("charged");
            headers.put(Shop.USER, "b");
            send(server, headers).assertRefused(RefusalCode.IDEMPOTENCY_SCOPE_INVALID);
            Metadata tooLong = ShopServer.key("k");
            tooLong.put(Shop.USER, "x".repeat(2000));
            send(server, tooLong).assertRefused(RefusalCode.IDEMPOTENCY_SCOPE_INVALID);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void not_because_another_caller_has_used_its_key() {
        try (ShopServer server = server()) {
            server.charge("k");
            Metadata headers = ShopServer.key("k");
            headers.put(Shop.USER, "bob");
            Answer other = server.send(Shop.CHARGE, headers, "7 USD").join();

            assertThat(other.text()).isEqualTo("charged");
            assertThat(other.replayed()).isFalse();
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void i7_where_its_key_was_used_for_another_request_or_method_and_reveals_nothing() {
        try (ShopServer server = ShopServer.of(ShopServer.saying("secret"))) {
            server.charge("k");
            Answer other =
                    server.send(Shop.CHARGE, ShopServer.key("k"), "200 EUR").join();
            other.assertRefused(RefusalCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD);
            assertThat(other.essence()).doesNotContain("secret");
            server.send(Shop.REFUND, ShopServer.key("k"), "100 EUR")
                    .join()
                    .assertRefused(RefusalCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD);
            assertThat(server.charge("k").replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void i8_while_the_first_one_runs() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ShopServer server = ShopServer.of((request, answer) -> {
            started.countDown();
            finish.await();
            answer.onNext(request);
            answer.onCompleted();
        })) {
            CompletableFuture<Answer> first = server.send(Shop.CHARGE, ShopServer.key("k"), "100 EUR");
            started.await();
            Answer second = server.charge("k");
            Answer other =
                    server.send(Shop.CHARGE, ShopServer.key("k"), "200 EUR").join();
            finish.countDown();

            second.assertRefused(RefusalCode.IDEMPOTENCY_KEY_IN_PROGRESS);
            assertThat(second.code()).isEqualTo(Status.Code.ABORTED);
            assertThat(second.trailers().get(IdempotencyMetadata.RETRY_AFTER)).isEqualTo("1");
            other.assertRefused(RefusalCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD);
            assertThat(first.join().text()).isEqualTo("100 EUR");
            assertThat(server.charge("k").replayed()).isTrue();
        }
    }

    @Test
    void i12_without_the_store_and_nothing_executes() {
        try (ShopServer server = server()) {
            server.store.down();
            Answer refused = server.charge("k");
            refused.assertRefused(RefusalCode.IDEMPOTENCY_STORE_UNAVAILABLE);
            assertThat(refused.code()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(server.executions).hasValue(0);

            server.store.up();
            assertThat(server.charge("k").text()).isEqualTo("charged");
        }
    }

    @Test
    void where_its_method_streams_and_it_has_a_key() {
        try (ShopServer server = server()) {
            server.send(Shop.WATCH, ShopServer.key("k"), "x")
                    .join()
                    .assertRefused(RefusalCode.IDEMPOTENCY_STREAMING_UNSUPPORTED);
            server.send(Shop.UPLOAD, binary((byte) 1), "x")
                    .join()
                    .assertRefused(RefusalCode.IDEMPOTENCY_STREAMING_UNSUPPORTED);
            assertThat(server.executions).hasValue(0);

            assertThat(server.send(Shop.WATCH, new Metadata(), "x").join().text())
                    .isEqualTo("x");
            assertThat(server.send(Shop.UPLOAD, new Metadata(), "x").join().code())
                    .isEqualTo(Status.Code.OK);
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void not_without_an_optional_key_and_not_on_other_methods() {
        ShopServer.Settings settings = ShopServer.settings().policy(CallPolicy::keyOptional);
        try (ShopServer server = settings.start(ShopServer.saying("charged"))) {
            assertThat(send(server, new Metadata()).text()).isEqualTo("charged");
            assertThat(send(server, new Metadata()).replayed()).isFalse();
            assertThat(server.executions).hasValue(2);
            server.charge("k");
            assertThat(server.charge("k").replayed()).isTrue();

            Answer unprotected =
                    server.send(Shop.UNPROTECTED, ShopServer.key("k"), "x").join();
            assertThat(unprotected.text()).isEqualTo("x");
            assertThat(unprotected.replayed()).isFalse();
            assertThat(server.state("k")).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void with_a_code_that_means_the_same_in_http() {
        for (RefusalCode code : RefusalCode.values()) {
            if (code == RefusalCode.IDEMPOTENCY_STREAMING_UNSUPPORTED) {
                continue;
            }
            ProblemCode http = ProblemCode.valueOf(code.name());
            assertThat(code.code()).isEqualTo(http.code());
            assertThat(code.retryable()).as(code.code()).isEqualTo(http.retryable());
        }
    }

    @Test
    void at_the_start_where_a_policy_makes_no_sense() {
        CallPolicy policy = CallPolicy.of(Operation.named("charge"));
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            SemelServerInterceptor.Builder builder = SemelServerInterceptor.on(semel, CallScope.fixed(Scope.GLOBAL));
            assertThatThrownBy(() -> builder.protect("Charge", policy)).hasMessageContaining("shop.Payments/Charge");
            assertThatThrownBy(() -> builder.protect("/shop.Payments/Charge", policy))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> builder.protect(Shop.WATCH, policy)).hasMessageContaining("streams");
            builder.protect(Shop.CHARGE, policy);
            assertThatThrownBy(() -> builder.protect("shop.Payments/Charge", policy))
                    .hasMessageContaining("two policies");
        }
        assertThatThrownBy(() -> policy.maxRecordedResponse(-1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> policy.answerWithin(Duration.ZERO)).hasMessageContaining("longer");
    }
}
