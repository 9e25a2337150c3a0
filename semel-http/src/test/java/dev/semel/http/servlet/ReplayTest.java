package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import jakarta.servlet.http.Cookie;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a retry gets: status, kept headers and bytes of the first response. */
class ReplayTest {

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
        try (TestServer server = TestServer.protecting((request, response) -> response.sendRedirect("/payments/1"))) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.status()).isEqualTo(302);
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
