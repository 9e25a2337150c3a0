package dev.semel.jdbc;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.Step;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.jdbc.mysql.MysqlStore;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.jdbc.sqlite.SqliteOptions;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.jdbc.testing.CountingDataSource;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.nio.file.Path;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A lone caller that waits runs every statement on its own thread")
@Timeout(120)
class LoneCallerTest {

    private static final Operation OPERATION = Operation.named("create-payment");

    @Test
    void on_postgresql() throws Exception {
        String uri = PostgresServer.shared().newDatabase();
        try (HikariDataSource pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource()) {
            check(pool, PostgresStore::new);
        }
    }

    @Test
    void on_mariadb() throws Exception {
        String uri = MariadbServer.shared().newDatabase();
        try (HikariDataSource pool = ((StoreUri.Mysql) StoreUri.parse(uri)).dataSource()) {
            check(pool, MysqlStore::new);
        }
    }

    @Test
    void on_sqlite(@TempDir Path directory) {
        check(
                SqliteStore.dataSource(directory.resolve("semel.db")),
                connections -> new SqliteStore(connections, SqliteOptions.DEFAULT));
    }

    private static void check(DataSource connections, Function<DataSource, Store> opening) {
        CountingDataSource counting = new CountingDataSource(connections, true);
        try (Store store = opening.apply(counting.dataSource())) {
            checkVerbs(store.blocking());
            assertThat(counting.threads()).as("verbs").containsOnly(Thread.currentThread());
            try (SemelEngine semel = SemelEngine.on(store).build()) {
                checkRequest(semel);
                assertThat(counting.threads()).as("requests").containsOnly(Thread.currentThread());
            }
        }
    }

    private static void checkVerbs(BlockingVerbs verbs) {
        Lease lease = ((ClaimAnswer.Granted) verbs.claim(request("k"))).lease();
        assertThat(verbs.step(lease, "reserved", response("r-1"))).isEqualTo(StepAnswer.RECORDED);
        assertThat(verbs.settle(lease, completed("done"), RETENTION)).isInstanceOf(SettleAnswer.Settled.class);
        assertThat(verbs.find(id("k"))).isPresent();
        assertThat(verbs.claim(request("k"))).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    /** From the claim to the answer, with a step; then its replay. */
    private static void checkRequest(SemelEngine semel) {
        Intent intent = Intent.of(OPERATION, Scope.of("acme"), Key.of("request"), new Fingerprint("v1:meant"));
        Execution<String> first = semel.execute(
                intent,
                Codec.text(),
                attempt -> attempt.step(Step.named("reserved"), Codec.text(), key -> "r-1") + ", done");
        assertThat(first.orThrow()).isEqualTo("r-1, done");
        Execution<String> second = semel.execute(intent, Codec.text(), attempt -> "executed again");
        assertThat(second).isInstanceOf(Execution.Replayed.class);
        assertThat(second.orThrow()).isEqualTo("r-1, done");
    }
}
