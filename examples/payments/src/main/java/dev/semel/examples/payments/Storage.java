package dev.semel.examples.payments;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.jdbc.SqliteStore;
import dev.semel.jdbc.StoreUri;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Where payments are kept: in the database that holds the records too. */
@Configuration(proxyBeanMethods = false)
class Storage {

    /** SQLite has one writer at a time, whoever else is connected. */
    private static final int SQLITE_CONNECTIONS = 2;

    @Bean
    StoreUri store(PaymentsProperties properties) {
        return StoreUri.parse(properties.store());
    }

    /** The engine is asked for first, so that its store has created the file and reported what is wrong with it. */
    @Bean
    Payments payments(StoreUri store, Semel semel) {
        if (store instanceof StoreUri.Postgresql postgresql) {
            return new JdbcPayments(postgresql.dataSource());
        }
        if (store instanceof StoreUri.Sqlite sqlite) {
            return new JdbcPayments(sqlite(sqlite));
        }
        return new MemoryPayments();
    }

    @Bean
    ProviderClient provider(PaymentsProperties properties, JsonMapper json) {
        return new ProviderClient(properties.provider(), json);
    }

    private static HikariDataSource sqlite(StoreUri.Sqlite store) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("payments");
        config.setDataSource(SqliteStore.dataSource(store.path()));
        config.setMaximumPoolSize(SQLITE_CONNECTIONS);
        return new HikariDataSource(config);
    }
}
