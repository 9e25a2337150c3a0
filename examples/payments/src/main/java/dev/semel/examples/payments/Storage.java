package dev.semel.examples.payments;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.examples.payments.orders.OrderPayments;
import dev.semel.examples.payments.orders.Orders;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.spring.SemelProperties;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** The storage of payments and orders: the database that also holds the records; without one, memory for payments. */
@Configuration(proxyBeanMethods = false)
class Storage {

    /** SQLite has one writer at a time, so more connections gain nothing. */
    private static final int SQLITE_CONNECTIONS = 2;

    @Bean
    @OnDatabase
    StoreUri store(SemelProperties properties) {
        StoreUri store = StoreUri.parse(properties.store());
        if (store instanceof StoreUri.Mysql) {
            throw new IllegalArgumentException("this example has its own tables for SQLite and PostgreSQL only:"
                    + " use sqlite:PATH or postgresql://user:password@host:port/database");
        }
        return store;
    }

    /** Depends on the engine, so that its store has checked the URI and created the file before. */
    @Bean
    @OnDatabase
    HikariDataSource dataSource(StoreUri store, Semel semel) {
        return store instanceof StoreUri.Postgresql postgresql
                ? postgresql.dataSource()
                : sqlite((StoreUri.Sqlite) store);
    }

    private static HikariDataSource sqlite(StoreUri.Sqlite store) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("payments");
        config.setDataSource(SqliteStore.dataSource(store.path()));
        config.setMaximumPoolSize(SQLITE_CONNECTIONS);
        return new HikariDataSource(config);
    }

    @Bean
    @OnDatabase
    Orders orders(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new Orders(jdbc, transactions);
    }

    @Bean
    Payments payments(ObjectProvider<JdbcClient> jdbc) {
        JdbcClient available = jdbc.getIfAvailable();
        return available == null ? new MemoryPayments() : new JdbcPayments(available);
    }

    @Bean
    @OnDatabase
    OrderPayments orderPayments(Orders orders, JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new OrderPayments(orders, jdbc, transactions);
    }

    @Bean
    Bookings bookings(Payments payments, ObjectProvider<OrderPayments> orders) {
        return new Bookings(payments, Optional.ofNullable(orders.getIfAvailable()));
    }

    @Bean
    ProviderClient provider(PaymentsProperties properties, JsonMapper json) {
        return new ProviderClient(properties.provider(), properties.providerTimeout(), json);
    }

    @Bean
    PaymentOutcomes paymentOutcomes(ProviderClient provider, Bookings bookings, JsonMapper json) {
        return new PaymentOutcomes(provider, bookings, json);
    }
}
