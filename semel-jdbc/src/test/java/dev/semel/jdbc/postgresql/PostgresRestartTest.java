package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.UnknownOutcome;
import dev.semel.jdbc.testing.Uris;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testsupport.servers.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("PostgreSQL: a server that stops and starts again")
@Timeout(180)
class PostgresRestartTest {

    @TempDir
    Path directory;

    @Test
    void a_store_outlives_a_killed_server_and_finds_everything_that_was_confirmed() {
        try (PostgresServer server = start();
                Store store = Stores.open(server.uri() + "?poolSize=2")) {
            Lease done = ((ClaimAnswer.Granted) await(store.claim(request("done")))).lease();
            await(store.settle(done, completed("done"), RETENTION));
            Lease running = ((ClaimAnswer.Granted) await(store.claim(request("running")))).lease();

            server.kill();
            assertThatThrownBy(() -> await(store.claim(request("new"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("check that it runs");

            server.restart();
            ClaimAnswer.Granted next = (ClaimAnswer.Granted) Awaitility.await()
                    .ignoreExceptions()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> await(store.claim(request("new"))), Objects::nonNull);
            assertThat(next.lease().fence()).isGreaterThan(running.fence());
            assertThat(await(store.find(id("done"))).orElseThrow().response()).isEqualTo(response("done"));
            assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
        }
    }

    @Test
    @DisplayName("I1, I6: an unknown outcome is recorded when the server is back that was killed before its commit")
    void an_unknown_outcome_is_recorded_when_the_server_is_back() throws Exception {
        try (PostgresServer server = start();
                HikariDataSource application =
                        Uris.postgresql(server.uri() + "?poolSize=2").dataSource();
                SemelEngine semel = SemelEngine.on(Stores.open(server.uri() + "?poolSize=2"))
                        .build()) {
            UnknownOutcome outcome = new UnknownOutcome(semel, application);
            outcome.isNotRecordedWhile(server::kill);
            server.restart();
            outcome.isRecordedNowAndNotExecutedAgain();
        }
    }

    private PostgresServer start() {
        return PostgresServer.builder().dataDirectory(directory.resolve("data")).start();
    }
}
