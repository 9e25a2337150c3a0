package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.http.TransactionRunner;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.http.Wire;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A response that evidence settled is replayed like one that the handler gave. */
class SettledByHandTest {

    private static void settle(TestServer server, String key, RecordedResponse found) {
        Reconciliation settled = server.semel.settle(
                Operation.named("create-payment"),
                Identity.of("alice", key),
                new Verdict.Happened(found.toResponse(), "statement 7"),
                "bank");
        assertThat(settled).isInstanceOf(Reconciliation.Accepted.class);
    }

    @Test
    void byte_for_byte() {
        byte[] body = new byte[10_000];
        new Random(7).nextBytes(body);
        try (TestServer server = TestServer.protecting((request, response) -> {
            if (request.getHeader("Idempotency-Key").equals("lost")) {
                throw new OutcomeUnknownException("the bank did not answer");
            }
            response.setStatus(201);
            response.setHeader("Location", "/payments/7");
            response.addHeader("Link", "</a>");
            response.addHeader("Link", "</b>");
            response.setContentType("image/png");
            response.getOutputStream().write(body);
        })) {
            server.pay("given");
            server.pay("lost");
            Headers headers = Headers.of("Location", "/payments/7")
                    .with("Link", "</a>")
                    .with("Link", "</b>")
                    .with("Content-Type", "image/png")
                    .with("Set-Cookie", "secret=1")
                    .with("Content-Length", "1");
            settle(server, "lost", RecordedResponse.of(201, headers, Body.of(body)));

            Wire.Reply given = server.pay("given");
            Wire.Reply found = server.pay("lost");

            assertThat(found.replayed()).isTrue();
            assertThat(found.body()).isEqualTo(body);
            assertThat(found.essence()).isEqualTo(given.essence());
            assertThat(server.status("lost").body()).isEqualTo(body);
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void also_without_a_body_that_is_not_available() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            throw new OutcomeUnknownException("the bank did not answer");
        })) {
            server.pay("k");
            settle(server, "k", RecordedResponse.notRetained(201, Headers.NONE));

            assertThat(server.pay("k").text()).contains("idempotency_response_not_retained");
            assertThat(server.executions).hasValue(1);
        }
    }

    /** The handler of a transaction declares its outcome unknown, and evidence settles it later. */
    @Test
    void also_on_a_route_that_is_in_a_transaction() {
        FakeDatabase database = new FakeDatabase();
        Pool pool = new Pool(database.dataSource(), 1);
        try (TestServer server = TestServer.settings()
                .store(database.store())
                .route("*", "*", policy -> policy.inTransaction(TransactionRunner.on(pool.dataSource())))
                .start((request, response) -> {
                    throw new OutcomeUnknownException("the bank did not answer");
                })) {
            server.pay("k");
            settle(server, "k", RecordedResponse.of(201, Headers.of("X-Id", "7"), Body.ofText("paid")));

            Wire.Reply found = server.pay("k");

            assertThat(found.status()).isEqualTo(201);
            assertThat(found.all("X-Id")).containsExactly("7");
            assertThat(found.text()).isEqualTo("paid");
            assertThat(found.replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }
}
