package dev.semel.examples.policies;

import dev.semel.engine.Store;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.sqlite.SqliteOptions;
import dev.semel.jdbc.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One file that holds the records and the table of {@link OneTransaction}; every start begins with an empty one. */
@Configuration(proxyBeanMethods = false)
class Storage {

    /** Shorter than the default of five seconds, since a person waits for the outage example. */
    private static final SqliteOptions IMPATIENT = new SqliteOptions(SchemaMode.CREATE, Duration.ofSeconds(2));

    @Bean
    DataSource dataSource(@Value("${policies.database}") Path file) throws IOException {
        for (String part : new String[] {"", "-wal", "-shm"}) {
            Files.deleteIfExists(Path.of(file + part));
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        return SqliteStore.dataSource(file);
    }

    /** Closed by the engine. */
    @Bean(destroyMethod = "")
    Store store(DataSource dataSource) {
        return new SqliteStore(dataSource, IMPATIENT);
    }
}
