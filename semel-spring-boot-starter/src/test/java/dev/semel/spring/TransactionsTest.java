package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("A method that is @Idempotent and @Transactional, and an operation that is transactional")
class TransactionsTest {

    private static String uri;
    private static RunningApplication application;
    private static Orders orders;
    private static JdbcClient jdbc;

    /** A running method waits here for the test. */
    private record Pause(CountDownLatch entered, CountDownLatch leave) {}

    private static volatile Pause pause = new Pause(new CountDownLatch(0), new CountDownLatch(0));

    private final String id = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @Import({Orders.class, OrdersController.class})
    static class Shop {}

    @Service
    static class Orders {

        private final JdbcClient jdbc;

        Orders(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(operation = "place-order", key = "#id")
        @Transactional
        public String place(String id) throws InterruptedException {
            enter(id);
            pause.entered().countDown();
            pause.leave().await(30, TimeUnit.SECONDS);
            return TransactionSynchronizationManager.isActualTransactionActive() ? "placed " + id : "no transaction";
        }

        @Idempotent(operation = "fail-order", key = "#id")
        @Transactional
        public String fail(String id, boolean fails) throws IOException {
            enter(id);
            if (fails) {
                throw new IOException("out of paper");
            }
            return "placed " + id;
        }

        /** The constraint is checked at commit. */
        @Idempotent(operation = "late-order", key = "#id")
        @Transactional
        public String failAtCommit(String id) {
            enter(id);
            jdbc.sql("INSERT INTO line (order_id) VALUES ('no such order')").update();
            return "placed " + id;
        }

        private void enter(String id) {
            jdbc.sql("INSERT INTO placed (order_id) VALUES (:id)")
                    .param("id", id)
                    .update();
        }
    }

    @RestController
    static class OrdersController {

        private final JdbcClient jdbc;

        OrdersController(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @PostMapping("/orders")
        ResponseEntity<String> place(@RequestParam("id") String id, @RequestParam("fails") boolean fails) {
            jdbc.sql("INSERT INTO placed (order_id) VALUES (:id)")
                    .param("id", id)
                    .update();
            return fails ? ResponseEntity.internalServerError().body("no") : ResponseEntity.ok("placed " + id);
        }
    }

    @BeforeAll
    static void start() throws IOException {
        uri = PostgresServer.shared().newDatabase();
        PostgresServer.execute(uri, """
                CREATE TABLE placed (order_id text PRIMARY KEY);
                CREATE TABLE line (order_id text REFERENCES placed (order_id) DEFERRABLE INITIALLY DEFERRED);
                """);
        application = RunningApplication.withDatabase(
                Shop.class,
                database(),
                "spring.datasource.username=postgres",
                "semel.operations.http-order.match=POST /orders",
                "semel.operations.http-order.transactional=true",
                "semel.defaults.max-wait=10s");
        orders = application.bean(Orders.class);
        jdbc = application.bean(JdbcClient.class);
    }

    private static String database() {
        return "spring.datasource.url=" + PostgresServer.jdbcUrl(uri);
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
    }

    private long placed() {
        return jdbc.sql("SELECT count(*) FROM placed WHERE order_id = :id")
                .param("id", id)
                .query(Long.class)
                .single();
    }

    private boolean isRecorded(String operation) {
        return jdbc.sql("SELECT count(*) FROM semel_record WHERE key = :id AND operation = :operation")
                        .param("id", id)
                        .param("operation", operation)
                        .query(Long.class)
                        .single()
                > 0;
    }

    @Test
    void commit_once_and_answer_every_repetition() throws Exception {
        String first = orders.place(id);

        assertThat(first).isEqualTo("placed " + id);
        assertThat(orders.place(id)).isEqualTo(first);
        assertThat(placed()).isEqualTo(1);
        assertThat(isRecorded("place-order")).isTrue();
    }

    @Test
    void show_neither_the_order_nor_its_record_before_both_are_committed() throws Exception {
        pause = new Pause(new CountDownLatch(1), new CountDownLatch(1));
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            Future<String> placing = threads.submit(() -> orders.place(id));
            assertThat(pause.entered().await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(placed()).isZero();
            assertThat(isRecorded("place-order")).isFalse();
            pause.leave().countDown();
            placing.get(30, TimeUnit.SECONDS);
        } finally {
            pause.leave().countDown();
            threads.shutdownNow();
        }
        assertThat(placed()).isEqualTo(1);
        assertThat(isRecorded("place-order")).isTrue();
    }

    @Test
    void leave_nothing_of_a_failure_so_that_the_next_call_runs() throws Exception {
        assertThatThrownBy(() -> orders.fail(id, true))
                .isInstanceOf(IOException.class)
                .hasMessage("out of paper");
        assertThat(placed()).isZero();
        assertThat(isRecorded("fail-order")).isFalse();

        assertThat(orders.fail(id, false)).isEqualTo("placed " + id);
        assertThat(placed()).isEqualTo(1);
    }

    @Test
    void fail_when_the_commit_fails() {
        assertThatThrownBy(() -> orders.failAtCommit(id)).hasMessageContaining("foreign key constraint");

        assertThat(placed()).isZero();
        assertThat(isRecorded("late-order")).isFalse();
    }

    @Test
    void take_part_in_a_transaction_that_the_caller_began() {
        TransactionTemplate outer = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
        outer.executeWithoutResult(status -> {
            try {
                orders.place(id);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            status.setRollbackOnly();
        });

        assertThat(placed()).isZero();
        assertThat(isRecorded("place-order")).isFalse();
    }

    @Test
    void place_one_order_for_duplicates_at_once() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> all =
                    threads.invokeAll(Stream.generate(() -> (Callable<String>) () -> orders.place(id))
                            .limit(8)
                            .toList());
            for (Future<String> one : all) {
                assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo("placed " + id);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(placed()).isEqualTo(1);
    }

    @Test
    void commit_a_request_together_with_its_response() {
        HttpResponse<String> failed = application.post("/orders?fails=true&id=" + id, id, "{}");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(placed()).isZero();

        HttpResponse<String> first = application.post("/orders?fails=false&id=" + id, id, "{}");
        HttpResponse<String> second = application.post("/orders?fails=false&id=" + id, id, "{}");

        assertThat(first.body()).isEqualTo("placed " + id);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(RunningApplication.isReplay(second)).isTrue();
        assertThat(placed()).isEqualTo(1);
    }

    @Test
    void keep_records_in_the_application_s_database() {
        assertThat(application.bean(SemelEngine.class).find(Identity.of("absent", "none")))
                .isEmpty();
        assertThat(jdbc.sql("SELECT count(*) FROM semel_schema")
                        .query(Long.class)
                        .single())
                .isPositive();
    }

    static class OwnTransaction {
        @Idempotent(operation = "x", key = "#id")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void run(String id) {}
    }

    static class ReadOnly {
        @Idempotent(operation = "x", key = "#id")
        @Transactional(readOnly = true)
        public void run(String id) {}
    }

    static class Fine {
        @Idempotent(operation = "x", key = "#id")
        @Transactional
        public void run(String id) {}
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        Boot.DATA_SOURCE,
                        Boot.DATA_SOURCE_TRANSACTIONS,
                        SemelAutoConfiguration.class,
                        SemelTransactionAutoConfiguration.class,
                        SemelJsonAutoConfiguration.class,
                        SemelMethodAutoConfiguration.class))
                .withPropertyValues(database(), "spring.datasource.username=postgres");
    }

    @Test
    void refuse_at_start_what_cannot_be_one_transaction() {
        runner().withBean(OwnTransaction.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessage(
                                "@Idempotent and @Transactional on OwnTransaction.run: its propagation must be REQUIRED, since"
                                        + " the record is part of the transaction"));
        runner().withBean(ReadOnly.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("its transaction is read-only, but the record is written in it"));
        runner().withBean(Fine.class)
                .withPropertyValues("semel.store=memory:")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("records are not kept in a database, so they cannot be part of a"
                                + " transaction; set semel.store to jdbc"));
        runner().withBean(Fine.class).run(context -> assertThat(context).hasNotFailed());
    }
}
