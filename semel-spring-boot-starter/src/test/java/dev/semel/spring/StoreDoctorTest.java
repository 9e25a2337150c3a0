package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.Finding;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.servers.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

@DisplayName("The doctor in an application checks the store that the application uses")
class StoreDoctorTest {

    @TempDir
    Path folder;

    @EnableAutoConfiguration
    static class Application {}

    @EnableAutoConfiguration
    static class OwnStore {

        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }
    }

    private static List<Finding> findings(RunningApplication application) {
        try (application) {
            return application.bean(StoreDoctor.class).findings();
        }
    }

    @Test
    void by_its_uri() {
        String uri = PostgresServer.shared().newDatabase();
        assertThat(findings(RunningApplication.plain(Application.class, "semel.store=" + uri)))
                .contains(
                        Finding.ok("a primary, not a replica"),
                        Finding.ok("the index for searches is there"),
                        Finding.ok("fsync = on"));
        assertThat(findings(RunningApplication.plain(
                        Application.class, "semel.store=sqlite:" + folder.resolve("semel.db"))))
                .contains(Finding.ok("journal_mode = wal"));
    }

    @Test
    void by_its_data_source() {
        assertThat(findings(RunningApplication.withDatabase(
                        Application.class,
                        "spring.datasource.url=jdbc:sqlite:" + folder.resolve("own.db") + "?journal_mode=WAL")))
                .anySatisfy(finding -> assertThat(finding.text()).startsWith("SQLite "));
    }

    @Test
    void or_says_that_it_does_not() {
        assertThat(findings(RunningApplication.plain(Application.class, "semel.store=memory:")))
                .extracting(Finding::level)
                .containsExactly("note");
        assertThat(findings(RunningApplication.plain(OwnStore.class)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).startsWith("the application defines its own store"));
    }
}
