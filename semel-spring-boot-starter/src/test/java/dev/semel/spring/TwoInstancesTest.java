package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.testsupport.servers.PostgresServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("Two instances of an application with two DataSources")
class TwoInstancesTest {

    private static DataSource ordersDatabase;
    private static DataSource billingDatabase;

    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Shop {

        @Bean
        DataSource orders() {
            return ordersDatabase;
        }

        @Bean
        DataSource billing() {
            return billingDatabase;
        }
    }

    @RestController
    static class Orders {

        private final JdbcClient jdbc;

        Orders(@Qualifier("orders") DataSource orders) {
            this.jdbc = JdbcClient.create(orders);
        }

        @PostMapping("/orders")
        @ResponseStatus(HttpStatus.CREATED)
        String place() {
            String number = UUID.randomUUID().toString();
            jdbc.sql("INSERT INTO placed (number) VALUES (:number)")
                    .param("number", number)
                    .update();
            return number;
        }
    }

    @BeforeAll
    static void createDatabases() {
        String uri = PostgresServer.shared().newDatabase();
        PostgresServer.execute(uri, "CREATE TABLE placed (number text)");
        ordersDatabase = PostgresServer.dataSource(uri);
        billingDatabase = PostgresServer.dataSource(PostgresServer.shared().newDatabase());
    }

    @Test
    void both_fail_to_start_while_no_property_names_the_DataSource() {
        for (int instance = 1; instance <= 2; instance++) {
            assertThatThrownBy(() -> RunningApplication.withDatabase(Shop.class))
                    .rootCause()
                    .isInstanceOf(StoreChoiceException.class)
                    .hasMessageContaining("DataSource beans (billing, orders)");
        }
    }

    @Test
    void execute_a_key_once_when_a_property_names_the_one_that_they_share() throws Exception {
        String key = UUID.randomUUID().toString();
        ExecutorService clients = Executors.newFixedThreadPool(2);
        try (RunningApplication one = RunningApplication.withDatabase(Shop.class, "semel.data-source=orders");
                RunningApplication two = RunningApplication.withDatabase(Shop.class, "semel.data-source=orders")) {
            CyclicBarrier together = new CyclicBarrier(2);
            List<Future<HttpResponse<String>>> answers =
                    clients.invokeAll(List.of(request(one, key, together), request(two, key, together)));
            for (Future<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().statusCode()).isIn(201, 409);
            }

            HttpResponse<String> again = one.post("/orders", key, "{}");
            assertThat(again.statusCode()).isEqualTo(201);
            assertThat(two.post("/orders", key, "{}").body()).isEqualTo(again.body());
        } finally {
            clients.shutdown();
        }
        assertThat(JdbcClient.create(ordersDatabase)
                        .sql("SELECT count(*) FROM placed")
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }

    private static Callable<HttpResponse<String>> request(
            RunningApplication instance, String key, CyclicBarrier together) {
        return () -> {
            together.await();
            return instance.post("/orders", key, "{}");
        };
    }
}
