package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.State;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A protected request to a service in HTTP/2")
class Http2ServiceTest {

    private static final long REFUSED_STREAM = 7;

    private final AtomicInteger executions = new AtomicInteger();

    private VertxService service(Handler<HttpServerRequest> handler) throws Exception {
        return new VertxService(request -> {
            assertThat(request.version()).isEqualTo(HttpVersion.HTTP_2);
            request.body().onSuccess(body -> handler.handle(request));
        });
    }

    @Test
    void is_dispatched_once_and_replayed() throws Exception {
        try (VertxService service = service(request -> {
                    executions.incrementAndGet();
                    request.response().setStatusCode(201).end("paid by " + request.authority());
                });
                TestGateway gateway = TestGateway.before(service.url("h2c"))) {
            assertThat(gateway.pay("k").text()).isEqualTo("paid by localhost");
            assertThat(gateway.pay("k").replayed()).isTrue();
            assertThat(executions).hasValue(1);
        }
    }

    @Test
    void that_the_service_refuses_before_it_begins_is_not_executed() throws Exception {
        try (VertxService service = service(request -> request.response().reset(REFUSED_STREAM));
                TestGateway gateway = TestGateway.before(service.url("h2c"))) {
            assertThat(gateway.pay("k").text()).contains("idempotency_not_executed");
            assertThat(gateway.state("k")).isEqualTo(State.FAILED_RETRYABLE);
        }
    }

    /** It has begun with the request, whatever it says. */
    @Test
    void that_the_service_refuses_after_it_has_begun_to_answer_is_unknown() throws Exception {
        try (VertxService service = service(request -> {
                    executions.incrementAndGet();
                    request.response()
                            .setStatusCode(201)
                            .writeHead()
                            .onComplete(written -> request.response().reset(REFUSED_STREAM));
                });
                TestGateway gateway = TestGateway.before(service.url("h2c"))) {
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(executions).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 5, 8})
    void that_the_service_breaks_off_is_unknown(long code) throws Exception {
        try (VertxService service = service(request -> {
                    executions.incrementAndGet();
                    request.response().reset(code);
                });
                TestGateway gateway = TestGateway.before(service.url("h2c"))) {
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(executions).hasValue(1);
        }
    }

    @Test
    void whose_connection_is_closed_is_unknown() throws Exception {
        try (VertxService service = service(request -> {
                    executions.incrementAndGet();
                    request.connection().close();
                });
                TestGateway gateway = TestGateway.before(service.url("h2c"))) {
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
            assertThat(executions).hasValue(1);
        }
    }

    @Test
    void whose_answer_has_trailers_is_replayed_with_them() throws Exception {
        try (VertxService service = service(request -> {
                    executions.incrementAndGet();
                    request.response()
                            .trailers()
                            .add("x-sum", "7")
                            .add("x-sum", "8")
                            .add("Set-Cookie", "s=1");
                    request.response().write("message");
                    request.response().end();
                });
                TestGateway gateway = TestGateway.before(service.url("h2c"))) {
            for (boolean replayed : List.of(false, true)) {
                try (Socket client =
                        gateway.post("k").header("Connection", "close").open(gateway.port())) {
                    String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                    assertThat(answer)
                            .endsWith("7\r\nmessage\r\n0\r\nx-sum: 7\r\nx-sum: 8\r\n"
                                    + (replayed ? "\r\n" : "set-cookie: s=1\r\n\r\n"));
                    assertThat(answer.contains("Idempotency-Replayed: true")).isEqualTo(replayed);
                }
            }
            assertThat(executions).hasValue(1);
        }
    }
}
