package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import jakarta.servlet.http.Cookie;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a retry gets: status, kept headers and bytes of the first response. */
class ReplayTest {

    @Test
    void i3_a_retry_gets_the_recorded_response_and_executes_nothing() {
        AtomicInteger number = new AtomicInteger();
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setStatus(201);
            response.setHeader("Location", "/payments/" + number.incrementAndGet());
            response.setContentType("application/json");
            response.getWriter().print("{\"id\":" + number + ",\"note\":\"é\"}");
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

    @Test
    void repeated_headers_keep_their_values_and_order() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.addHeader("Link", "<a>; rel=\"next\"");
            response.addHeader("X-Other", "1");
            response.addHeader("Link", "<b>; rel=\"prev\"");
            response.setIntHeader("X-Count", 7);
            response.setDateHeader("Last-Modified", 0);
        })) {
            server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(replay.replayed()).isTrue();
            assertThat(replay.all("Link")).containsExactly("<a>; rel=\"next\"", "<b>; rel=\"prev\"");
            assertThat(replay.all("X-Count")).containsExactly("7");
            assertThat(replay.all("Last-Modified")).containsExactly("Thu, 01 Jan 1970 00:00:00 GMT");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1 << 16, 1 << 20})
    void binary_bodies_of_any_length_up_to_the_cap_are_replayed_byte_for_byte(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setContentType("application/octet-stream");
            response.getOutputStream().write(bytes);
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
    void an_empty_204_is_replayed_as_an_empty_204() {
        try (TestServer server = TestServer.protecting((request, response) -> response.setStatus(204))) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.status()).isEqualTo(204);
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.essence()).isEqualTo(first.essence());
        }
    }

    @Test
    void a_response_larger_than_the_cap_is_sent_once_and_then_refused_without_executing_again() {
        byte[] large = new byte[5_000_000];
        new Random(1).nextBytes(large);
        try (TestServer server =
                TestServer.protecting(policy -> policy.maxRecordedResponse(1000), (request, response) -> {
                    response.setStatus(201);
                    response.setHeader("X-Kept", "yes");
                    for (int at = 0; at < large.length; at += 1000) {
                        response.getOutputStream().write(large, at, 1000);
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
    void a_large_response_keeps_the_length_that_its_handler_declared() {
        try (TestServer server =
                TestServer.protecting(policy -> policy.maxRecordedResponse(10), (request, response) -> {
                    response.setContentLength(2000);
                    response.getOutputStream().write(new byte[2000]);
                })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.all("Content-Length")).containsExactly("2000");
            assertThat(first.body()).hasSize(2000);
        }
    }

    @Test
    void cookies_credentials_dates_and_hop_by_hop_headers_are_sent_once_and_never_replayed() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.addCookie(new Cookie("session", "secret"));
            response.addHeader("Set-Cookie", "other=secret");
            response.setHeader("WWW-Authenticate", "Bearer");
            response.setHeader("Authentication-Info", "nextnonce=\"x\"");
            response.setHeader("Date", "Thu, 01 Jan 1970 00:00:00 GMT");
            response.setHeader("Connection", "close, X-Hop");
            response.setHeader("X-Hop", "here");
            response.setHeader("Keep-Alive", "timeout=5");
            response.setHeader("X-Kept", "yes");
        })) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.all("Set-Cookie")).hasSize(2);
            assertThat(first.all("WWW-Authenticate")).hasSize(1);
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.all("X-Kept")).containsExactly("yes");
            for (String name :
                    List.of("Set-Cookie", "WWW-Authenticate", "Authentication-Info", "X-Hop", "Keep-Alive")) {
                assertThat(replay.all(name)).as(name).isEmpty();
            }
            assertThat(replay.all("Date")).doesNotContain("Thu, 01 Jan 1970 00:00:00 GMT");
        }
    }

    @Test
    void headers_of_outer_filters_are_not_recorded_and_not_lost() {
        AtomicInteger requests = new AtomicInteger();
        TestServer.Settings settings = TestServer.settings()
                .route("*", "*", policy -> policy)
                .outer((request, response, chain) -> {
                    var http = (jakarta.servlet.http.HttpServletResponse) response;
                    http.setHeader("X-Request", String.valueOf(requests.incrementAndGet()));
                    http.addHeader("Vary", "Origin");
                    chain.doFilter(request, response);
                });
        try (TestServer server = settings.start((request, response) -> {
            assertThat(response.getHeader("X-Request")).isEqualTo("1");
            response.addHeader("Vary", "Accept");
            assertThat(response.getHeaders("Vary")).containsExactly("Origin", "Accept");
        })) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.all("X-Request")).containsExactly("1");
            assertThat(replay.all("X-Request")).containsExactly("2");
            assertThat(first.all("Vary")).containsExactly("Origin", "Accept");
            assertThat(replay.all("Vary")).containsExactly("Origin", "Accept");
        }
    }

    @Test
    void a_redirect_is_recorded() {
        try (TestServer server =
                TestServer.protecting((request, response) -> response.sendRedirect("/payments/1", 303))) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.status()).isEqualTo(303);
            assertThat(first.first("Location")).hasValue("/payments/1");
            assertThat(replay.essence()).isEqualTo(first.essence());
        }
    }

    @Test
    void what_was_written_before_a_reset_is_gone() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setHeader("X-Before", "1");
            response.getWriter().print("before");
            response.flushBuffer();
            assertThat(response.isCommitted()).isFalse();
            response.reset();
            response.setStatus(202);
            response.getOutputStream().print("after");
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(202);
            assertThat(first.text()).isEqualTo("after");
            assertThat(first.all("X-Before")).isEmpty();
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }

    @Test
    void the_encoding_of_a_writer_is_the_one_that_the_content_type_announces() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setContentType("text/plain");
            response.setCharacterEncoding("UTF-16BE");
            response.getWriter().print("€");
            response.setCharacterEncoding("UTF-8");
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.body()).containsExactly(0x20, 0xAC);
            assertThat(first.first("Content-Type").orElseThrow()).isEqualToIgnoringCase("text/plain;charset=utf-16be");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }
}
