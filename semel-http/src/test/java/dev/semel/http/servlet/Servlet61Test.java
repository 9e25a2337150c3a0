package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Not for Tomcat 10.1, whose API does not have these methods. */
@DisplayName("What came with Servlet 6.1")
class Servlet61Test {

    @Test
    void a_redirect_with_a_status_is_recorded() {
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
    void a_charset_that_is_no_name_is_recorded() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setContentType("text/plain");
            response.setCharacterEncoding(StandardCharsets.UTF_8);
            response.getWriter().print("é");
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.text()).isEqualTo("é");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }
}
