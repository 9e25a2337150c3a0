package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a retry gets: status, kept headers and bytes of the first response. */
public interface ReplayContract extends OnTransport {

    @Test
    default void i3_a_retry_gets_the_recorded_response_and_executes_nothing() {
        AtomicInteger number = new AtomicInteger();
        try (ContractServer server = protecting(call -> {
            call.status(201);
            call.header("Location", "/payments/" + number.incrementAndGet());
            call.header("Content-Type", "application/json");
            call.print("{\"id\":" + number + ",\"note\":\"é\"}");
        })) {
            Wire.Reply first = server.pay("k1");
            Wire.Reply second = server.pay("k1");

            assertThat(first.status()).isEqualTo(201);
            assertThat(first.replayed()).isFalse();
            assertThat(first.text()).isEqualTo("{\"id\":1,\"note\":\"é\"}");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
            assertThat(server.pay("k2").text()).contains("\"id\":2");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1 << 16, 1 << 20})
    default void binary_bodies_of_any_length_up_to_the_cap_are_replayed_byte_for_byte(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        try (ContractServer server = protecting(call -> {
            call.header("Content-Type", "application/octet-stream");
            call.out().write(bytes);
        })) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.body()).isEqualTo(bytes);
            assertThat(replay.body()).isEqualTo(bytes);
            assertThat(replay.essence()).isEqualTo(first.essence());
            assertThat(replay.all("Content-Length")).containsExactly(String.valueOf(length));
        }
    }

    @Test
    default void an_empty_204_is_replayed_as_an_empty_204() {
        try (ContractServer server = protecting(call -> call.status(204))) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.status()).isEqualTo(204);
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.essence()).isEqualTo(first.essence());
        }
    }

    @Test
    default void a_response_larger_than_the_cap_is_sent_once_and_then_refused_without_executing_again() {
        byte[] large = new byte[5_000_000];
        new Random(1).nextBytes(large);
        try (ContractServer server = protecting(policy -> policy.maxRecordedResponse(1000), call -> {
            call.status(201);
            call.header("X-Kept", "yes");
            for (int at = 0; at < large.length; at += 1000) {
                call.out().write(large, at, 1000);
            }
        })) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.status()).isEqualTo(201);
            assertThat(first.all("X-Kept")).containsExactly("yes");
            assertThat(first.body()).isEqualTo(large);
            assertThat(replay.status()).isEqualTo(409);
            assertThat(replay.text()).contains("\"code\":\"idempotency_response_not_retained\"", "\"retryable\":false");
            assertThat(server.executions).hasValue(1);
            assertThat(server.status("k").status()).isEqualTo(409);
        }
    }

    @Test
    default void repeated_headers_are_kept_in_order_and_those_of_one_session_or_connection_are_sent_once() {
        try (ContractServer server = protecting(call -> {
            call.header("Link", "<a>; rel=\"next\"");
            call.header("X-Other", "1");
            call.header("Link", "<b>; rel=\"prev\"");
            call.header("Set-Cookie", "session=secret");
            call.header("Set-Cookie", "other=secret");
            call.header("WWW-Authenticate", "Bearer");
            call.header("Authentication-Info", "nextnonce=\"x\"");
            call.header("Connection", "close, X-Hop");
            call.header("X-Hop", "here");
            call.header("Keep-Alive", "timeout=5");
        })) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.all("Set-Cookie")).hasSize(2);
            assertThat(first.all("WWW-Authenticate")).hasSize(1);
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.all("Link")).containsExactly("<a>; rel=\"next\"", "<b>; rel=\"prev\"");
            assertThat(replay.all("X-Other")).containsExactly("1");
            for (String name :
                    List.of("Set-Cookie", "WWW-Authenticate", "Authentication-Info", "X-Hop", "Keep-Alive")) {
                assertThat(replay.all(name)).as(name).isEmpty();
            }
        }
    }
}
