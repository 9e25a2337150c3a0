package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.State;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.glassfish.jersey.server.ChunkedOutput;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@DisplayName("Jersey on Jetty")
class JerseyOnJettyTest implements ReplayContract, ResponseContract, FailureContract, AsyncContract {

    @Override
    public TestServer.Starter starter() {
        return Servers::jerseyOnJetty;
    }

    /** RESTEasy does not deliver an answer whose client the container has reported as gone. */
    @Test
    void a_client_that_disconnects_before_an_asynchronous_answer_cancels_nothing() throws Exception {
        AtomicReference<AsyncResponse> running = new AtomicReference<>();
        try (TestServer server = open()) {
            server.resource.suspendedWork = (body, response) -> running.set(response);
            Socket socket =
                    server.post("/suspended").key("k").json("{\"amount\":100}").open(server.port());
            Awaitility.await().until(() -> running.get() != null);
            AsyncContract.abort(socket);
            running.get().resume(new byte[500_000]);

            assertThat(server.state("k")).isEqualTo(State.COMPLETED);
            assertThat(server.pay("/suspended", "k").body()).hasSize(500_000);
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    void a_response_that_turns_out_to_be_sent_in_parts_leaves_the_outcome_unknown() throws Exception {
        try (TestServer server = open();
                ChunkedOutput<String> chunks = new ChunkedOutput<>(String.class)) {
            server.resource.work = body -> Response.ok(chunks).build();

            assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown");
            assertThat(server.state("k")).isEqualTo(State.UNKNOWN);
        }
    }
}
