package dev.semel.examples.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Identity;
import dev.semel.jdbc.sqlite.SqliteStore;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A command to an account")
class AccountsTest {

    private static final int AT_ONCE = 30;

    @TempDir
    Path directory;

    private Accounts accounts;
    private AccountsServer server;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        start(Duration.ofHours(1), Duration.ofHours(1));
    }

    private void start(Duration retention, Duration pruneEvery) throws Exception {
        accounts = Accounts.open(directory, retention, pruneEvery);
        server = AccountsServer.start(accounts, 0);
        client = new Client(server.uri());
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        accounts.close();
    }

    @Test
    void returns_its_first_result_whenever_it_is_repeated() throws Exception {
        client.send(Client.create("c-1", "alice"));
        HttpResponse<String> first = client.send(Client.deposit("c-2", "alice", 5000));
        client.send(Client.withdraw("c-3", "alice", 1200));

        HttpResponse<String> again = client.send(Client.deposit("c-2", "alice", 5000));

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("{\"status\":\"deposited\",\"account\":\"alice\",\"balanceCents\":5000}");
        assertThat(Client.isReplay(first)).isFalse();
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(Client.isReplay(again)).isTrue();
        assertThat(client.balance("alice")).contains("\"balanceCents\":3800");
    }

    @Test
    void is_executed_once_of_many_at_once() throws Exception {
        client.send(Client.create("c-1", "alice"));
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            Callable<HttpResponse<String>> deposit = () -> client.send(Client.deposit("c-2", "alice", 100));
            List<HttpResponse<String>> answers = new ArrayList<>();
            for (Future<HttpResponse<String>> answer : threads.invokeAll(Collections.nCopies(AT_ONCE, deposit))) {
                answers.add(answer.get());
            }

            assertThat(answers).allSatisfy(answer -> assertThat(answer.body()).contains("\"balanceCents\":100"));
            assertThat(answers).filteredOn(answer -> !Client.isReplay(answer)).hasSize(1);
        } finally {
            threads.shutdown();
        }
        assertThat(client.balance("alice")).contains("\"balanceCents\":100}");
    }

    @Test
    void that_was_refused_stays_refused() throws Exception {
        client.send(Client.create("c-1", "alice"));
        HttpResponse<String> refused = client.send(Client.withdraw("c-2", "alice", 1));
        client.send(Client.deposit("c-3", "alice", 5));

        HttpResponse<String> again = client.send(Client.withdraw("c-2", "alice", 1));

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("insufficient_funds");
        assertThat(again.body()).isEqualTo(refused.body());
        assertThat(Client.isReplay(again)).isTrue();
        assertThat(client.send(Client.withdraw("c-4", "alice", 1)).body()).contains("\"balanceCents\":4");
        assertThat(client.send(Client.create("c-5", "alice")).body()).contains("account_exists");
        assertThat(client.send(Client.deposit("c-6", "bob", 1)).body()).contains("no_such_account");
    }

    @Test
    void is_refused_when_another_one_has_its_id() throws Exception {
        client.send(Client.create("c-1", "alice"));
        client.send(Client.deposit("c-2", "alice", 100));

        assertThat(client.send(Client.deposit("c-2", "alice", 101)).statusCode())
                .isEqualTo(422);
        assertThat(client.send(Client.withdraw("c-2", "alice", 100)).statusCode())
                .isEqualTo(422);
        assertThat(client.balance("alice")).contains("\"balanceCents\":100}");
    }

    /** As a process leaves it that is killed after the effect, and before the result is recorded. */
    @Test
    void that_is_executed_again_after_a_crash_changes_nothing() throws Exception {
        client.send(Client.create("c-1", "alice"));
        try (Ledger killed = new Ledger(directory.resolve("accounts.db"))) {
            killed.execute(new AccountCommand.Deposit("c-2", "alice", 100));
        }

        HttpResponse<String> repeated = client.send(Client.deposit("c-2", "alice", 100));

        assertThat(repeated.body()).contains("\"deposited\"", "\"balanceCents\":100");
        assertThat(client.balance("alice")).contains("\"balanceCents\":100}");
    }

    @Test
    void is_recognized_by_the_ledger_after_its_record_was_pruned_on_schedule() throws Exception {
        stop();
        start(Duration.ofMillis(1), Duration.ofMillis(50));
        client.send(Client.create("c-1", "alice"));
        HttpResponse<String> first = client.send(Client.deposit("c-2", "alice", 100));
        try (SqliteStore store = SqliteStore.open(directory.resolve("semel.db"))) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            store.blocking().find(Identity.of("command", "c-2")).isEmpty());
        }

        HttpResponse<String> again = client.send(Client.deposit("c-2", "alice", 100));

        assertThat(again.body()).isEqualTo(first.body());
        HttpResponse<String> other = client.send(Client.deposit("c-1", "alice", 7));
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(other.body()).contains("command_id_used");
        assertThat(client.balance("alice")).contains("\"balanceCents\":100}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not json",
                "[]",
                "{}",
                "{\"commandId\":\"c-1\",\"type\":\"dance\",\"account\":\"alice\"}",
                "{\"commandId\":\"\",\"type\":\"create\",\"account\":\"alice\"}",
                "{\"commandId\":7,\"type\":\"create\",\"account\":\"alice\"}",
                "{\"commandId\":\"c-1\",\"type\":\"create\",\"account\":\"Alice/..\"}",
                "{\"commandId\":\"c-1\",\"type\":\"deposit\",\"account\":\"alice\"}",
                "{\"commandId\":\"c-1\",\"type\":\"deposit\",\"account\":\"alice\",\"amountCents\":0}",
                "{\"commandId\":\"c-1\",\"type\":\"deposit\",\"account\":\"alice\",\"amountCents\":1.5}",
                "{\"commandId\":\"c-1\",\"type\":\"deposit\",\"account\":\"alice\",\"amountCents\":1e99}",
                "{\"commandId\":\"c-1\",\"commandId\":\"c-2\",\"type\":\"create\",\"account\":\"alice\"}",
            })
    void that_is_not_valid_is_not_executed(String body) throws Exception {
        assertThat(client.send(body).statusCode()).isEqualTo(400);

        assertThat(client.send(Client.create("c-1", "alice")).body()).contains("\"created\"");
    }

    @Test
    void that_is_too_long_is_not_read() throws Exception {
        assertThat(client.send(" ".repeat(5000)).statusCode()).isEqualTo(413);
    }
}
