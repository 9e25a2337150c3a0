package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** In HTTP/2 the refusal of one request was the end of its connection, and of the answers to all others on it. */
@DisplayName("A refused request in HTTP/2")
class SharedConnectionTest {

    private final LedgerService service = new LedgerService();
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
        service.close();
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(TestGateway.LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpClientConnection connect(TestGateway gateway) {
        HttpClientAgent client = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        return await(
                client.connect(new HttpConnectOptions().setHost("127.0.0.1").setPort(gateway.port())));
    }

    private static HttpClientRequest post(HttpClientConnection connection, String key) {
        HttpClientRequest request = await(connection.request(
                new RequestOptions().setMethod(HttpMethod.POST).setURI("/payments")));
        request.exceptionHandler(known -> {});
        return request.putHeader("Idempotency-Key", key);
    }

    private static String bodyOf(Future<HttpClientResponse> answer) {
        return await(answer.compose(HttpClientResponse::body)).toString();
    }

    @Test
    void whose_body_stops_leaves_the_others_on_its_connection() {
        TestGateway.Settings settings = TestGateway.Settings.standard().requestTimeout(Duration.ofMillis(200));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            HttpClientConnection connection = connect(gateway);
            HttpClientRequest slow = post(connection, "slow").putHeader("Content-Length", "100");
            slow.write(Buffer.buffer("{"));

            assertThat(bodyOf(slow.response())).contains("gateway_request_too_slow");
            assertThat(bodyOf(post(connection, "other").send("{}"))).contains("paid");
            assertThat(service.executions("slow")).isZero();
        }
    }

    @Test
    void whose_body_is_too_long_leaves_the_others_on_its_connection() {
        TestGateway.Settings settings = TestGateway.Settings.standard().policy(policy -> policy.maxRequestBody(10));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            HttpClientConnection connection = connect(gateway);
            HttpClientRequest large = post(connection, "large")
                    .putHeader("Content-Length", "1000")
                    .putHeader("Expect", "100-continue");
            large.writeHead();

            assertThat(bodyOf(large.response())).contains("idempotency_body_too_large");
            assertThat(bodyOf(post(connection, "other").send("{}"))).contains("paid");
        }
    }

    /** What a client sends behind its answer is read up to a limit, at which the stream alone is reset. */
    @Test
    void whose_client_goes_on_sending_is_reset_alone() throws Exception {
        TestGateway.Settings settings = TestGateway.Settings.standard().policy(policy -> policy.maxRequestBody(10));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            HttpClientConnection connection = connect(gateway);
            HttpClientRequest endless = post(connection, "endless").setChunked(true);
            Future<HttpClientResponse> answer = endless.response();
            for (int i = 0; i < 10; i++) {
                endless.write(Buffer.buffer(new byte[1 << 20]));
            }

            // The reset may overtake the body of the answer.
            await(answer.compose(HttpClientResponse::body).otherwiseEmpty());
            assertThat(bodyOf(post(connection, "other").send("{}"))).contains("paid");
            assertThat(service.executions("endless")).isZero();
        }
    }
}
