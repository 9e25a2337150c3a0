package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.servers.MariadbServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store in MariaDB, on the command line,")
class MysqlCommandsIT extends UnknownCommands {

    private String uri;

    @Override
    @BeforeEach
    void openStore() {
        uri = MariadbServer.shared().newDatabase();
        super.openStore();
    }

    @Override
    String uri() {
        return uri;
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
    void the_doctor_says_of_an_empty_server_that_the_tables_are_not_created_yet() {
        Invocation doctor = Invocation.of("doctor", MariadbServer.shared().newDatabase());
        assertThat(doctor.status()).isZero();
        assertThat(doctor.out())
                .contains("  note    the tables are not created yet: ")
                .doesNotContain("UNSAFE");
    }

    @Test
    void the_doctor_names_a_setting_that_loses_records_and_why() {
        MariadbServer.execute(uri, "SET GLOBAL innodb_flush_log_at_trx_commit = 2");
        try {
            Invocation doctor = Invocation.of("doctor", "--store", uri());
            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out())
                    .contains(
                            "UNSAFE  innodb_flush_log_at_trx_commit = 2: ",
                            "UNSAFE  the store does not start: ",
                            "This store can lose records: ");
        } finally {
            MariadbServer.execute(uri, "SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        }
    }
}
