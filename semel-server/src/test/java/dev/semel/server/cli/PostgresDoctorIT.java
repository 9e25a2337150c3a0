package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.Stores;
import dev.semel.testsupport.servers.PostgresServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The doctor on PostgreSQL")
class PostgresDoctorIT {

    @Test
    void finds_nothing_wrong_with_a_server_that_keeps_what_it_confirms() {
        try (PostgresServer server = start("on")) {
            Stores.open(server.uri()).close();

            Invocation doctor = Invocation.of("doctor", "--store", server.uri());

            assertThat(doctor.out()).doesNotContain("UNSAFE").contains("fsync = on", "the store starts");
            assertThat(doctor.status()).isZero();
            assertThat(Invocation.of("prune", "--store", server.uri()).out())
                    .isEqualToIgnoringNewLines("Deleted 0 records");
        }
    }

    @Test
    void says_of_an_empty_server_that_the_tables_are_not_created_yet() throws Exception {
        try (PostgresServer server = start("on")) {
            Invocation doctor = Invocation.of("doctor", "--store", server.uri());

            assertThat(doctor.status()).isZero();
            assertThat(doctor.out())
                    .contains("  note    the tables are not created yet: ", "No setting is unsafe")
                    .doesNotContain("UNSAFE");
            assertThat(Invocation.of("prune", "--store", server.uri()).status()).isEqualTo(1);
        }
    }

    @Test
    void names_every_setting_that_loses_records_and_why() {
        try (PostgresServer server = start("off")) {
            Invocation doctor = Invocation.of("doctor", "--store", server.uri());

            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out())
                    .contains(
                            "UNSAFE  fsync = off: ",
                            "UNSAFE  full_page_writes = off: ",
                            "UNSAFE  synchronous_commit = off: ",
                            "UNSAFE  the store does not start: ",
                            "This store can lose records: ");
        }
    }

    private static PostgresServer start(String durability) {
        return PostgresServer.builder()
                .setting("fsync", durability)
                .setting("full_page_writes", durability)
                .setting("synchronous_commit", durability)
                .start();
    }
}
