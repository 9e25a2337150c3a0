package dev.semel.jdbc;

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
import dev.semel.spi.ClaimAnswer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("PostgreSQL: a server that goes down and comes back")
@Timeout(180)
class PostgresRestartTest {

    @TempDir
    Path directory;

    @Test
    void a_store_outlives_a_killed_server_and_finds_everything_that_was_confirmed() throws IOException {
        Path data = directory.resolve("data");
        EmbeddedPostgres first = PostgresServer.start(on(data));
        int port = first.getPort();
        try (Store store = Stores.open("postgresql://postgres@localhost:" + port + "/postgres?poolSize=2")) {
            Lease done = ((ClaimAnswer.Granted) await(store.claim(request("done")))).lease();
            await(store.settle(done, completed("done"), RETENTION));
            Lease running = ((ClaimAnswer.Granted) await(store.claim(request("running")))).lease();

            killServer(data);
            first.close();
            assertThatThrownBy(() -> await(store.claim(request("new"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("check that it runs");

            try (EmbeddedPostgres second = PostgresServer.start(on(data).setPort(port))) {
                assertThat(second.getPort()).isEqualTo(port);
                ClaimAnswer.Granted next = (ClaimAnswer.Granted) Awaitility.await()
                        .ignoreExceptions()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> await(store.claim(request("new"))), Objects::nonNull);
                assertThat(next.lease().fence()).isGreaterThan(running.fence());
                assertThat(await(store.find(id("done"))).orElseThrow().response())
                        .isEqualTo(response("done"));
                assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
            }
        }
    }

    @Test
    @DisplayName("I1, I6: an unknown outcome is recorded when the server is back that was killed before its commit")
    void an_unknown_outcome_is_recorded_when_the_server_is_back() throws Exception {
        Path data = directory.resolve("data");
        EmbeddedPostgres first = PostgresServer.start(on(data));
        int port = first.getPort();
        String uri = "postgresql://postgres@localhost:" + port + "/postgres?poolSize=2";
        try (HikariDataSource application = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                SemelEngine semel = SemelEngine.on(Stores.open(uri)).build()) {
            UnknownOutcome outcome = new UnknownOutcome(semel, application);
            outcome.isNotRecordedWhile(() -> {
                killServer(data);
                first.close();
            });
            try (EmbeddedPostgres second = PostgresServer.start(on(data).setPort(port))) {
                assertThat(second.getPort()).isEqualTo(port);
                outcome.isRecordedNowAndNotExecutedAgain();
            }
        }
    }

    private static EmbeddedPostgres.Builder on(Path data) {
        return PostgresServer.builder().setDataDirectory(data).setCleanDataDirectory(false);
    }

    /** As the kernel would when memory runs out, or a power failure. */
    private static void killServer(Path data) throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
        server.destroyForcibly();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !server.isAlive());
    }
}
