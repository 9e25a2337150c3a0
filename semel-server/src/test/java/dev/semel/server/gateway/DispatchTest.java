package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a protected request at each point of failure between gateway and service. */
@DisplayName("A protected request")
class DispatchTest {

    private final LedgerService service = new LedgerService();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void is_dispatched_once_and_replayed_byte_for_byte() {
        service.work = request -> ("HTTP/1.1 201 Created\r\nX-Part: one\r\nX-Part: two\r\nSet-Cookie: s=1\r\n"
                        + "Connection: close, X-Hop\r\nX-Hop: 1\r\nContent-Length: 4\r\n\r\npaid")
                .getBytes(StandardCharsets.ISO_8859_1);
        try (TestGateway gateway = TestGateway.before(service.url())) {
            Wire.Reply first = gateway.pay("k");
            Wire.Reply second = gateway.pay("k");

            assertThat(first.status()).isEqualTo(201);
            assertThat(first.all("X-Part")).containsExactly("one", "two");
            assertThat(first.all("Set-Cookie")).containsExactly("s=1");
            assertThat(first.all("X-Hop")).isEmpty();
            assertThat(first.text()).isEqualTo("paid");
            assertThat(second.status()).isEqualTo(201);
            assertThat(second.replayed()).isTrue();
            assertThat(second.all("X-Part")).containsExactly("one", "two");
            assertThat(second.all("Set-Cookie")).isEmpty();
            assertThat(second.text()).isEqualTo("paid");
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @Test
    void is_sent_on_a_connection_that_carried_no_request_before_where_none_is_to_be_reused() {
        service.keepsConnections = true;
        TestGateway.Settings settings = TestGateway.Settings.standard().reuse(Duration.ZERO);
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            for (int i = 0; i < 20; i++) {
                assertThat(gateway.pay("key-" + i).status()).isEqualTo(201);
                service.cutConnections();
            }
            assertThat(service.connections).hasValue(20);
            assertThat(service.lastHead).contains("Connection: close\r\n");
        }
    }

    @Test
    void is_not_executed_when_the_connection_is_refused_and_runs_with_the_next_retry() throws IOException {
        int port = freePort();
        try (TestGateway gateway = TestGateway.before("http://127.0.0.1:" + port)) {
            Wire.Reply refused = gateway.pay("k");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text()).contains("idempotency_not_executed", "\"retryable\":true");
            assertThat(refused.first("Retry-After")).isPresent();
            assertThat(gateway.state("k")).isEqualTo(State.FAILED_RETRYABLE);
        }
    }

    @Test
    void is_not_executed_when_the_name_of_the_service_is_unknown() {
        try (TestGateway gateway = TestGateway.before("http://no-such-host.invalid")) {
            assertThat(gateway.pay("k").text()).contains("idempotency_not_executed");
            assertThat(gateway.state("k")).isEqualTo(State.FAILED_RETRYABLE);
        }
    }

    @Test
    void is_not_executed_when_tls_fails() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TestGateway gateway = TestGateway.before("https://127.0.0.1:" + plain.getLocalPort())) {
            CompletableFuture<Wire.Reply> reply = CompletableFuture.supplyAsync(() -> gateway.pay("k"));
            try (Socket accepted = plain.accept()) {
                accepted.getOutputStream().write("this is not TLS\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(reply.get().text()).contains("idempotency_not_executed");
            }
            assertThat(gateway.state("k")).isEqualTo(State.FAILED_RETRYABLE);
        }
    }

    @Test
    void is_unknown_when_the_connection_is_lost_after_it_was_sent() {
        service.work = request -> {
            service.cutConnections();
            throw new IOException("cut");
        };
        try (TestGateway gateway = TestGateway.before(service.url())) {
            Wire.Reply lost = gateway.pay("k");
            assertThat(lost.status()).isEqualTo(409);
            assertThat(lost.text()).contains("idempotency_outcome_unknown");
            assertThat(lost.first("Retry-After")).isPresent();
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 2x1 Created\r\n\r\n",
                "nonsense\r\n\r\n",
                "HTTP/1.1 102 Processing\r\n\r\n",
                "HTTP/1.1 1000 Status\r\nContent-Length: 4\r\n\r\npaid",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\npaid\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: gzip\r\n\r\npaid",
                "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nshort",
                "HTTP/1.1 201 Created\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nshort",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nshort\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nContent-Ty"
            })
    void is_unknown_when_its_answer_is_malformed_or_incomplete(String answer) {
        service.work = request -> answer.getBytes(StandardCharsets.ISO_8859_1);
        try (TestGateway gateway = TestGateway.before(service.url())) {
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @Test
    void is_completed_by_an_answer_that_ends_with_the_connection_and_unknown_by_one_that_ends_with_a_reset() {
        byte[] answer = "HTTP/1.0 201 Created\r\n\r\npaid".getBytes(StandardCharsets.ISO_8859_1);
        service.work = request -> answer;
        try (CuttingProxy proxy = new CuttingProxy(service.port());
                TestGateway gateway = TestGateway.before("http://127.0.0.1:" + proxy.port())) {
            assertThat(gateway.pay("k").text()).isEqualTo("paid");
            assertThat(gateway.pay("k").replayed()).isTrue();

            proxy.add(new CuttingProxy.Cut(CuttingProxy.Break.RESET, true, answer.length - 2));
            assertThat(gateway.pay("cut").text()).contains("idempotency_outcome_unknown");
        }
    }

    @Test
    void is_unknown_after_a_timeout_and_settled_by_the_answer_that_comes_late() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            answer.await();
            return LedgerService.created("{\"late\":true}");
        };
        TestGateway.Settings settings = TestGateway.Settings.standard().answerTimeout(Duration.ofSeconds(2));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);

            answer.countDown();
            await().atMost(TestGateway.LONG).until(() -> gateway.state("k") == State.COMPLETED);
            Wire.Reply retry = gateway.pay("k");
            assertThat(retry.text()).isEqualTo("{\"late\":true}");
            assertThat(retry.replayed()).isTrue();
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @Test
    void is_executed_and_recorded_although_its_client_has_left() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            arrived.countDown();
            answer.await();
            return LedgerService.created("{}");
        };
        try (TestGateway gateway = TestGateway.before(service.url())) {
            try (Socket client = gateway.post("k").open(gateway.port())) {
                arrived.await();
                client.setSoLinger(true, 0);
            }
            answer.countDown();
            await().atMost(TestGateway.LONG).until(() -> gateway.state("k") == State.COMPLETED);
            assertThat(gateway.pay("k").replayed()).isTrue();
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @Test
    void whose_client_sends_its_body_too_slowly_is_refused_before_anything_is_claimed() throws Exception {
        TestGateway.Settings settings = TestGateway.Settings.standard().requestTimeout(Duration.ofMillis(200));
        try (TestGateway gateway = TestGateway.before(service.url(), settings);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            client.setSoTimeout(60_000);
            client.getOutputStream()
                    .write("POST /payments HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\nContent-Length: 9\r\n\r\n{"
                            .getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 408").contains("gateway_request_too_slow");
            assertThat(gateway.state("k")).isNull();
        }
    }

    @Test
    void whose_answer_is_larger_than_what_is_kept_is_passed_on_whole_and_never_dispatched_again() {
        String large = "x".repeat(3_000_000);
        service.work = request -> ("HTTP/1.1 201 Created\r\nX-Kind: large\r\nContent-Length: 3000000\r\n\r\n" + large)
                .getBytes(StandardCharsets.ISO_8859_1);
        try (TestGateway gateway = TestGateway.before(service.url())) {
            Wire.Reply first = gateway.pay("k");
            assertThat(first.status()).isEqualTo(201);
            assertThat(first.first("X-Kind")).contains("large");
            assertThat(first.text()).isEqualTo(large);
            Wire.Reply second = gateway.pay("k");
            assertThat(second.status()).isEqualTo(409);
            assertThat(second.text()).contains("idempotency_response_not_retained");
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    /** It was waited for without an end, and a shutdown with it. */
    @Test
    void whose_answer_is_passed_on_and_stops_is_broken_off_and_never_dispatched_again() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        service.work = request -> {
            service.write("HTTP/1.1 201 Created\r\nContent-Length: 3000000\r\n\r\n" + "x".repeat(2_000_000));
            end.await();
            return new byte[0];
        };
        TestGateway.Settings settings = TestGateway.Settings.standard()
                .policy(policy -> policy.maxRecordedResponse(1000))
                .answerTimeout(Duration.ofSeconds(2));
        try (TestGateway gateway = TestGateway.before(service.url(), settings);
                Socket client = gateway.post("k").open(gateway.port())) {
            assertThat(client.getInputStream().readAllBytes()).hasSizeBetween(2_000_000, 2_001_000);
            assertThat(gateway.pay("k").text()).contains("idempotency_response_not_retained");
            assertThat(service.executions("k")).isEqualTo(1);
        } finally {
            end.countDown();
        }
    }

    /** An old client takes the answer that asks it to go on for the one to its request. */
    @Test
    void of_an_old_client_is_not_asked_to_go_on() throws Exception {
        try (TestGateway gateway = TestGateway.before(service.url());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            client.setSoTimeout(60_000);
            client.getOutputStream()
                    .write(("POST /payments HTTP/1.0\r\nHost: h:\r\nIdempotency-Key: k\r\nContent-Length: 2\r\n"
                                    + "Expect: 100-continue\r\n\r\n{}")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).contains(" 201 Created\r\n").endsWith("{\"paid\":true}");
            assertThat(service.lastHead).containsIgnoringCase("\r\nHost: h\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504, 429})
    void whose_answer_says_by_policy_that_nothing_was_executed_is_released(int status) {
        service.work = request -> answer(service.executions("k") == 1 ? status : 201);
        TestGateway.Settings settings =
                TestGateway.Settings.standard().policy(policy -> policy.notExecutedOn(502, 503, 504, 429));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            assertThat(gateway.pay("k").status()).isEqualTo(status);
            assertThat(gateway.state("k")).isEqualTo(State.FAILED_RETRYABLE);
            assertThat(gateway.pay("k").status()).isEqualTo(201);
            assertThat(service.executions("k")).isEqualTo(2);
        }
    }

    @Test
    void whose_answer_is_a_failure_is_unknown_where_the_route_reconciles() {
        service.work = request -> answer(504);
        TestGateway.Settings settings =
                TestGateway.Settings.standard().operation(Operation.named("pay").failures(Failures.RECONCILE));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            assertThat(gateway.pay("k").status()).isEqualTo(504);
            assertThat(gateway.state("k")).isEqualTo(State.UNKNOWN);
            assertThat(gateway.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @Test
    void keeps_its_lease_for_as_long_as_the_service_works() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            answer.await();
            return LedgerService.created("{}");
        };
        TestGateway.Settings settings =
                TestGateway.Settings.standard().operation(Operation.named("pay").lease(Duration.ofSeconds(3)));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> gateway.pay("k"));
            await().atMost(TestGateway.LONG).until(() -> service.executions("k") == 1);
            long before = gateway.storeCalls();
            await().atMost(TestGateway.LONG).until(() -> gateway.storeCalls() > before + 3);
            assertThat(gateway.pay("k").text()).contains("idempotency_key_in_progress");
            answer.countDown();
            assertThat(first.join().status()).isEqualTo(201);
        }
    }

    @Test
    void waits_without_a_thread_for_the_request_that_it_duplicates() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            answer.await();
            return LedgerService.created("{}");
        };
        TestGateway.Settings settings =
                TestGateway.Settings.standard().operation(Operation.named("pay").waitUpTo(TestGateway.LONG));
        try (TestGateway gateway = TestGateway.before(service.url(), settings)) {
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> gateway.pay("k"));
            await().atMost(TestGateway.LONG).until(() -> service.executions("k") == 1);
            CompletableFuture<Wire.Reply> second = CompletableFuture.supplyAsync(() -> gateway.pay("k"));
            // The event loops answer others meanwhile.
            assertThat(gateway.status("k").status()).isEqualTo(202);
            answer.countDown();
            assertThat(first.join().status()).isEqualTo(201);
            assertThat(second.join().replayed()).isTrue();
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    private static byte[] answer(int status) {
        return ("HTTP/1.1 " + status + " Answer\r\nContent-Length: 0\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
