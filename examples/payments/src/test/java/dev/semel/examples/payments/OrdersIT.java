package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("Orders on one PostgreSQL, with killed applications of one connection each")
class OrdersIT {

    private static final int MANY = 50;
    private static final int KILLS = 4;
    private static final int KEYS_PER_KILL = 8;
    private static final int DUPLICATES = 4;

    private static String store;
    private static HikariDataSource database;
    private static JdbcClient jdbc;

    @BeforeAll
    static void start() throws IOException {
        store = PostgresServer.shared().newDatabase();
        database = ((StoreUri.Postgresql) StoreUri.parse(store)).dataSource();
        jdbc = JdbcClient.create(database);
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
    }

    private static Program application() {
        return Program.start(
                PaymentsApplication.class,
                "--server.port=0",
                "--semel.store=" + store + "?poolSize=1&" + PostgresServer.PATIENT);
    }

    private static Api apiOf(Program program) {
        return Api.acme(program.awaitReady("Payments are ready"));
    }

    private static String body(int number) {
        return """
                {"items":[{"productId":"p-%d","quantity":2},{"productId":"p-5","quantity":1}]}""".formatted(1 + number % 4);
    }

    /** Order, items, inventory and records agree. */
    private static void assertAllAgree() {
        assertThat(wrong("""
                SELECT p.product_id FROM product p
                LEFT JOIN (SELECT product_id, sum(quantity) AS reserved FROM order_item GROUP BY product_id) i
                    ON i.product_id = p.product_id
                WHERE p.stock + coalesce(i.reserved, 0) <> CASE WHEN p.product_id = 'p-scarce' THEN 3 ELSE 1000000 END"""))
                .as("products whose stock and reservations do not add up")
                .isEmpty();
        assertThat(wrong("""
                SELECT o.order_id FROM customer_order o
                WHERE (SELECT count(*) FROM order_item i WHERE i.order_id = o.order_id) <> 2""")).as("orders without all of their items").isEmpty();
        assertThat(wrong("SELECT key FROM semel_record WHERE operation = 'place-order' AND state <> 'completed'"))
                .as("records of orders that are not completed")
                .isEmpty();
        assertThat(jdbc.sql("SELECT count(*) FROM semel_record WHERE operation = 'place-order'")
                        .query(Long.class)
                        .single())
                .as("as many records as orders")
                .isEqualTo(jdbc.sql("SELECT count(*) FROM customer_order")
                        .query(Long.class)
                        .single());
        assertThat(wrong("""
                SELECT r.key FROM semel_record r
                WHERE r.operation = 'place-order' AND (
                    SELECT string_agg(a.change, ',' ORDER BY a.number) FROM semel_audit a
                    WHERE a.scope = r.scope AND a.key = r.key) <> 'granted,settled'""")).as("records whose audit differs").isEmpty();
    }

    private static List<String> wrong(String sql) {
        return jdbc.sql(sql).query(String.class).list();
    }

    @Test
    void agree_with_their_records_after_kills_at_any_time() {
        Random random = new Random(7);
        AtomicReference<Program> first = new AtomicReference<>(application());
        AtomicReference<Program> second = new AtomicReference<>(application());
        try {
            Api[] apis = {apiOf(first.get()), apiOf(second.get())};
            List<HttpResponse<String>> atOnce = Api.payAtOnce(MANY, "/orders", "at-once", body(1), apis);
            assertThat(atOnce).allSatisfy(OrdersIT::assertAnswered);
            assertThat(atOnce.stream().filter(answer -> answer.statusCode() == 201 && !Api.isReplay(answer)))
                    .hasSize(1);
            assertAllAgree();

            List<String> keys = new ArrayList<>();
            for (int kill = 0; kill < KILLS; kill++) {
                List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
                int killAfter = random.nextInt(KEYS_PER_KILL * DUPLICATES);
                for (int number = 0; number < KEYS_PER_KILL; number++) {
                    String key = "kill-" + kill + "-" + number;
                    keys.add(key);
                    for (int copy = 0; copy < DUPLICATES; copy++) {
                        sent.add(apis[copy % 2].payAsync("/orders", key, body(keys.size())));
                        if (sent.size() == killAfter + 1) {
                            sent.get(killAfter / 2)
                                    .handle((answer, gone) -> gone)
                                    .join();
                            (kill % 2 == 0 ? first : second).get().kill();
                        }
                    }
                }
                sent.forEach(OrdersIT::ended);
                assertAllAgree();
                AtomicReference<Program> killed = kill % 2 == 0 ? first : second;
                killed.get().close();
                killed.set(application());
                apis[kill % 2] = apiOf(killed.get());
            }

            for (int number = 0; number < keys.size(); number++) {
                HttpResponse<String> last =
                        apis[number % 2].send("POST", "/orders", keys.get(number), body(number + 1));
                assertThat(last.statusCode()).as(keys.get(number)).isEqualTo(201);
                assertThat(apis[(number + 1) % 2]
                                .send("POST", "/orders", keys.get(number), body(number + 1))
                                .body())
                        .isEqualTo(last.body());
            }
            assertAllAgree();
            assertThat(jdbc.sql("SELECT count(*) FROM customer_order")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(keys.size() + 1);
        } finally {
            first.get().close();
            second.get().close();
        }
    }

    /** Waits for any answer, or for the failure when its application was killed. */
    private static void ended(CompletableFuture<HttpResponse<String>> sent) {
        try {
            assertAnswered(sent.join());
        } catch (CompletionException killed) {
            assertThat(killed).hasCauseInstanceOf(IOException.class);
        }
    }

    /**
     * Placed, replayed or refused. On a busy machine a request can wait longer for the application's one connection than the pool allows:
     * then it is refused before anything was executed.
     */
    private static void assertAnswered(HttpResponse<String> answer) {
        if (answer.statusCode() == 503) {
            assertThat(answer.body()).contains("idempotency_store_unavailable");
        } else {
            assertThat(answer.statusCode()).isIn(201, 409);
        }
    }
}
