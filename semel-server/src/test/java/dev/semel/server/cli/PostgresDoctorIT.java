package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.Stores;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The doctor on PostgreSQL")
class PostgresDoctorIT {

    @Test
    void finds_no_fault_with_a_durable_server() throws IOException {
        try (EmbeddedPostgres server = start("on")) {
            Stores.open(uri(server)).close();

            Invocation doctor = Invocation.of("doctor", "--store", uri(server));

            assertThat(doctor.out()).doesNotContain("UNSAFE").contains("fsync = on", "the store starts");
            assertThat(doctor.status()).isZero();
            assertThat(Invocation.of("prune", "--store", uri(server)).out())
                    .isEqualToIgnoringNewLines("Deleted 0 records");
        }
    }

    @Test
    void reports_missing_tables_of_an_empty_server() throws Exception {
        try (EmbeddedPostgres server = start("on")) {
            Invocation doctor = Invocation.of("doctor", "--store", uri(server));

            assertThat(doctor.status()).isZero();
            assertThat(doctor.out())
                    .contains("  note    the tables are not created yet: ", "No setting is unsafe")
                    .doesNotContain("UNSAFE");
            assertThat(Invocation.of("prune", "--store", uri(server)).status()).isEqualTo(1);
        }
    }

    @Test
    void names_every_setting_that_loses_records_and_the_reason() throws IOException {
        try (EmbeddedPostgres server = start("off")) {
            Invocation doctor = Invocation.of("doctor", "--store", uri(server));

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

    private static EmbeddedPostgres start(String durability) throws IOException {
        return EmbeddedPostgres.builder()
                .setServerConfig("fsync", durability)
                .setServerConfig("full_page_writes", durability)
                .setServerConfig("synchronous_commit", durability)
                .start();
    }

    private static String uri(EmbeddedPostgres server) {
        return "postgresql://postgres:postgres@127.0.0.1:" + server.getPort() + "/postgres";
    }
}
