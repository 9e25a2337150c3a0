package dev.semel.jdbc;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import dev.semel.jdbc.testing.ChildProcess;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Several processes on one store")
@Timeout(180)
class ProcessesTest {

    private static final int KEYS = 300;

    @TempDir
    Path directory;

    @Test
    void I1_two_processes_on_one_sqlite_file_are_granted_each_key_once() throws IOException {
        assertEachKeyGrantedOnce("sqlite:" + directory.resolve("shared.db"));
    }

    @Test
    void I1_two_processes_on_one_postgresql_database_are_granted_each_key_once() throws IOException, SQLException {
        assertEachKeyGrantedOnce(PostgresServer.shared().newDatabase());
    }

    @Test
    void I1_two_processes_on_one_mariadb_database_are_granted_each_key_once() throws IOException, SQLException {
        assertEachKeyGrantedOnce(MariadbServer.shared().newDatabase());
    }

    private static void assertEachKeyGrantedOnce(String uri) throws IOException {
        try (ChildProcess one = ChildProcess.start(ClaimingProcess.class, uri, String.valueOf(KEYS));
                ChildProcess two = ChildProcess.start(ClaimingProcess.class, uri, String.valueOf(KEYS))) {
            one.go();
            two.go();
            List<String> granted = new ArrayList<>(one.report());
            granted.addAll(two.report());
            assertThat(granted)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, KEYS)
                            .mapToObj(key -> "key-" + key)
                            .toList());
        }
    }

    @Test
    void what_was_confirmed_to_a_process_is_stored_after_it_was_killed() throws IOException, InterruptedException {
        String uri = "sqlite:" + directory.resolve("killed.db");
        try (ChildProcess killed = ChildProcess.start(ClaimingProcess.class, uri, "20")) {
            killed.go();
            assertThat(killed.report()).hasSize(20);
            killed.kill();
        }
        try (Store store = Stores.open(uri)) {
            for (int key = 0; key < 20; key++) {
                assertThat(await(store.find(id("key-" + key))).orElseThrow().response())
                        .isEqualTo(response("done"));
            }
            assertThat(await(store.claim(request("key-0")))).isInstanceOf(ClaimAnswer.Recorded.class);
            ClaimAnswer.Granted next = (ClaimAnswer.Granted) await(store.claim(request("new")));
            assertThat(next.lease().fence()).isEqualTo(21);
        }
    }
}
