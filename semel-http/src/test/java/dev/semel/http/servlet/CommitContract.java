package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.State;
import dev.semel.testkit.FaultyDataSource.Fault;
import dev.semel.testsupport.http.Wire;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers before a commit, after it, and when it is unknown whether it happened. */
abstract class CommitContract extends TransactionFixture {

    private static final int DUPLICATES = 50;

    private TestServer paying() {
        return server((request, response) -> {
            insert(request, "paid");
            response.setStatus(201);
            response.getWriter().print("paid");
            response.flushBuffer();
        });
    }

    private static void assertUnconfirmed(Wire.Reply reply) {
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(reply.text()).contains("idempotency_store_unavailable", "\"retryable\":true", "same key");
        assertThat(reply.all("Retry-After")).containsExactly("1");
    }

    @Test
    void not_a_byte_leaves_before_the_commit() throws Exception {
        pool.holdCommits();
        TestServer server = server((request, response) -> {
            insert(request, "paid");
            response.getOutputStream().write(new byte[100_000]);
            response.flushBuffer();
            response.getOutputStream().close();
        });
        try (Socket client = server.post("/payments").key("k").json("{}").open(server.port())) {
            pool.committing.await();
            assertThat(client.getInputStream().available()).isZero();
            assertThat(database.rows()).isEmpty();

            pool.letCommitsGo();
            assertThat(Wire.Reply.read(client.getInputStream()).body()).hasSize(100_000);
            assertThat(database.rows()).containsExactly("paid");
        }
    }

    @Test
    void a_commit_that_failed_is_not_a_success_and_the_retry_executes() {
        TestServer server = paying();
        pool.nextCommit(Fault.COMMIT_REFUSED);

        assertUnconfirmed(server.pay("k"));
        assertThat(database.rows()).isEmpty();
        Wire.Reply second = server.pay("k");

        assertThat(second.status()).isEqualTo(201);
        assertThat(second.replayed()).isFalse();
        assertThat(database.rows()).containsExactly("paid");
        assertThat(server.executions).hasValue(2);
    }

    @Test
    void a_commit_whose_answer_got_lost_is_not_a_success_and_the_retry_replays() {
        TestServer server = paying();
        pool.nextCommit(Fault.COMMIT_ANSWER_LOST);

        assertUnconfirmed(server.pay("k"));
        Wire.Reply second = server.pay("k");

        assertThat(second.status()).isEqualTo(201);
        assertThat(second.text()).isEqualTo("paid");
        assertThat(second.replayed()).isTrue();
        assertThat(database.rows()).containsExactly("paid");
        assertThat(server.executions).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void an_unknown_outcome_is_recorded_although_its_transaction_cannot_commit(Fault fate) {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            throw new OutcomeUnknownException("the bank did not answer");
        });
        pool.nextCommit(fate);

        assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        assertThat(server.semel.find(Identity.of("alice", "k")).orElseThrow().state())
                .isEqualTo(State.UNKNOWN);
        assertThat(database.rows()).isEmpty();
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void an_unknown_outcome_is_recorded_although_the_connection_was_lost_while_the_handler_ran() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            pool.loseConnections();
            throw new OutcomeUnknownException("the bank did not answer");
        });

        assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        assertThat(database.rows()).isEmpty();
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void i1_a_duplicate_that_waits_does_not_execute_what_is_unknown_although_the_transaction_was_undone()
            throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Operation patient = Operation.named("create-payment").waitUpTo(Duration.ofSeconds(30));
        TestServer server = server(patient, policy -> policy, (request, response) -> {
            started.countDown();
            finish.await();
            throw new OutcomeUnknownException("the bank did not answer");
        });
        pool.nextCommit(Fault.COMMIT_REFUSED);
        try (Socket first =
                server.post("/payments").key("k").json("{\"amount\":100}").open(server.port())) {
            started.await();
            try (Socket duplicate =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port())) {
                finish.countDown();
                assertThat(Wire.Reply.read(first.getInputStream()).text()).contains("idempotency_outcome_unknown");
                assertThat(Wire.Reply.read(duplicate.getInputStream()).text())
                        .as("unknown, or in progress while that is being recorded")
                        .containsAnyOf("idempotency_outcome_unknown", "idempotency_key_in_progress");
            }
        }
        assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void a_replay_is_sent_however_its_transaction_ends() {
        TestServer server = paying();
        server.pay("k");
        pool.nextCommit(Fault.COMMIT_REFUSED);

        assertThat(server.pay("k").replayed()).isTrue();
    }

    @Test
    void without_a_connection_nothing_is_executed() {
        TestServer server = paying();
        pool.down();

        Wire.Reply reply = server.pay("k");

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).contains("idempotency_store_unavailable", "not executed now");
        assertThat(server.executions).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 64})
    void i1_simultaneous_duplicates_execute_once_and_the_others_replay_or_are_refused(int connections)
            throws Exception {
        pool = new Pool(database.dataSource(), connections);
        TestServer server = paying();
        for (int round = 0; round < 3; round++) {
            for (Wire.Reply reply : allAtOnce(server, "k" + round)) {
                assertThat(reply.status()).isIn(201, 409);
                if (reply.status() == 409) {
                    assertThat(reply.text()).contains("idempotency_key_in_progress");
                }
            }
            assertThat(server.executions).hasValue(round + 1);
            assertThat(database.rows()).hasSize(round + 1);
            assertThat(server.pay("k" + round).replayed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void duplicates_that_wait_all_get_the_same_bytes(int connections) throws Exception {
        pool = new Pool(database.dataSource(), connections);
        TestServer server = server(
                Operation.named("create-payment").waitUpTo(Duration.ofSeconds(30)),
                policy -> policy,
                (request, response) -> {
                    insert(request, "paid");
                    response.setStatus(201);
                    response.getWriter().print("paid");
                });

        List<Wire.Reply> replies = allAtOnce(server, "k");

        assertThat(replies).extracting(Wire.Reply::status).containsOnly(201);
        assertThat(replies.stream().map(Wire.Reply::essence).distinct()).hasSize(1);
        assertThat(replies).filteredOn(reply -> !reply.replayed()).hasSize(1);
        assertThat(database.rows()).containsExactly("paid");
    }

    @Test
    void a_duplicate_that_may_not_wait_is_refused_while_the_first_runs() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        TestServer server = server((request, response) -> {
            insert(request, "paid");
            started.countDown();
            finish.await();
        });
        try (Socket first =
                server.post("/payments").key("k").json("{\"amount\":100}").open(server.port())) {
            started.await();
            Wire.Reply duplicate = server.pay("k");
            assertThat(duplicate.status()).isEqualTo(409);
            assertThat(duplicate.text()).contains("idempotency_key_in_progress");
            assertThat(duplicate.all("Retry-After")).hasSize(1);

            finish.countDown();
            assertThat(Wire.Reply.read(first.getInputStream()).status()).isEqualTo(200);
        }
        assertThat(server.pay("k").replayed()).isTrue();
        assertThat(database.rows()).containsExactly("paid");
    }

    @Test
    void a_client_that_goes_away_while_the_handler_runs_cancels_nothing() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        TestServer server = server((request, response) -> {
            insert(request, "paid");
            started.countDown();
            finish.await();
            response.getOutputStream().write(new byte[500_000]);
        });
        Socket client =
                server.post("/payments").key("k").json("{\"amount\":100}").open(server.port());
        started.await();
        abort(client);
        finish.countDown();

        Awaitility.await().until(() -> server.pay("k").status() == 200);
        assertThat(server.pay("k").body()).hasSize(500_000);
        assertThat(database.rows()).containsExactly("paid");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void a_client_that_goes_away_during_the_commit_cancels_nothing() throws Exception {
        pool.holdCommits();
        TestServer server = paying();
        Socket client =
                server.post("/payments").key("k").json("{\"amount\":100}").open(server.port());
        pool.committing.await();
        abort(client);
        pool.letCommitsGo();

        Awaitility.await().until(() -> !database.rows().isEmpty());
        assertThat(server.pay("k").replayed()).isTrue();
        assertThat(server.executions).hasValue(1);
    }

    /** Closes so that the other side notices at once. */
    private static void abort(Socket socket) throws Exception {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static List<Wire.Reply> allAtOnce(TestServer server, String key) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(DUPLICATES);
        CyclicBarrier start = new CyclicBarrier(DUPLICATES);
        try {
            List<Future<Wire.Reply>> futures = new ArrayList<>();
            for (int i = 0; i < DUPLICATES; i++) {
                futures.add(clients.submit(() -> {
                    start.await();
                    return server.pay(key);
                }));
            }
            List<Wire.Reply> replies = new ArrayList<>();
            for (Future<Wire.Reply> future : futures) {
                replies.add(future.get());
            }
            return replies;
        } finally {
            clients.shutdownNow();
        }
    }
}
