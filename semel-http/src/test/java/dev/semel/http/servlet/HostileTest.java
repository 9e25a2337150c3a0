package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import org.junit.jupiter.api.Test;

/** Requests that the container refuses. */
class HostileTest {

    @Test
    void more_headers_than_the_container_takes() {
        try (TestServer server = TestServer.protecting((request, response) -> {})) {
            Wire.Request request = server.post("/p").key("k").json("{}");
            for (int i = 0; i < 10_000; i++) {
                request.header("X-" + i, "v");
            }
            assertThat(server.send(request).status()).isIn(400, 431);
            assertThat(server.executions).hasValue(0);
        }
    }
}
