package dev.semel.examples.orderflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

@DisplayName("Idempotent domain tables")
class OrdersIT {

    private static final int AT_ONCE = 8;

    private static PostgresServer postgres;
    private static HikariDataSource database;
    private static final Orders orders = new Orders();

    @BeforeAll
    static void start() throws Exception {
        postgres = PostgresServer.start();
        database = TestSettings.pool(postgres.uri());
        Transactions.run(database, connection -> {
            orders.createTables(connection);
            orders.createTables(connection);
            return "";
        });
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
        postgres.close();
    }

    private static Placement place(String key, String item) throws Exception {
        return Transactions.run(database, connection -> orders.place(connection, key, "ann@example.com", item));
    }

    private static Order placed(String key) throws Exception {
        return ((Placement.Placed) place(key, "a lamp")).order();
    }

    private static Move move(Order order, OrderStatus to) throws Exception {
        return Transactions.run(database, connection -> orders.move(connection, order.orderId(), to));
    }

    private static List<String> history(Order order) throws Exception {
        return Transactions.run(database, connection -> orders.history(connection, order.orderId()));
    }

    /** All threads start at the same moment. */
    private static <T> List<T> atOnce(List<Callable<T>> tasks) throws Exception {
        CyclicBarrier begin = new CyclicBarrier(tasks.size());
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> task : tasks) {
                running.add(threads.submit(() -> {
                    begin.await();
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private static <T> List<T> duplicates(Callable<T> task) throws Exception {
        return atOnce(IntStream.range(0, AT_ONCE).mapToObj(i -> task).toList());
    }

    @RepeatedTest(10)
    void place_one_order_for_simultaneous_duplicates_and_return_its_row_to_all(RepetitionInfo repetition)
            throws Exception {
        String key = "at-once-" + repetition.getCurrentRepetition();
        List<Placement> placements = duplicates(() -> place(key, "a lamp"));
        Order order = placed(key);
        assertThat(placements).containsOnly(new Placement.Placed(order, true), new Placement.Placed(order, false));
        assertThat(placements).containsOnlyOnce(new Placement.Placed(order, true));
        assertThat(history(order)).containsExactly("placed");
    }

    @Test
    void refuse_another_order_with_the_same_key() throws Exception {
        Order order = placed("taken");
        assertThat(place("taken", "another lamp")).isInstanceOf(Placement.KeyTaken.class);
        assertThat(placed("taken")).isEqualTo(order);
    }

    @Test
    void contain_no_order_that_was_rolled_back() throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            orders.place(connection, "undone", "ann@example.com", "a lamp");
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(place("undone", "a lamp"))
                .isInstanceOfSatisfying(
                        Placement.Placed.class,
                        placed -> assertThat(placed.isNew()).isTrue());
    }

    @RepeatedTest(10)
    void log_a_change_once_that_many_threads_request_at_the_same_time(RepetitionInfo repetition) throws Exception {
        Order order = placed("moved-" + repetition.getCurrentRepetition());
        List<Move> moves = duplicates(() -> move(order, OrderStatus.CONFIRMED));
        assertThat(moves).allMatch(move -> ((Move.Made) move).order().status().equals("confirmed"));
        assertThat(moves.stream().filter(move -> ((Move.Made) move).isNew())).hasSize(1);
        assertThat(history(order)).containsExactly("placed", "confirmed");
    }

    @RepeatedTest(10)
    void accept_one_of_two_exclusive_changes(RepetitionInfo repetition) throws Exception {
        Order order = placed("raced-" + repetition.getCurrentRepetition());
        move(order, OrderStatus.CONFIRMED);
        List<Move> moves =
                atOnce(List.of(() -> move(order, OrderStatus.SHIPPED), () -> move(order, OrderStatus.CANCELLED)));
        assertThat(moves.stream().filter(Move.Made.class::isInstance)).hasSize(1);
        assertThat(moves.stream().filter(Move.Impossible.class::isInstance)).hasSize(1);
        assertThat(history(order)).hasSize(3);
    }

    @Test
    void change_nothing_for_a_late_duplicate() throws Exception {
        Order order = placed("late");
        move(order, OrderStatus.CONFIRMED);
        move(order, OrderStatus.SHIPPED);
        Order shipped = new Order(order.orderId(), order.customer(), order.item(), "shipped");
        assertThat(move(order, OrderStatus.CONFIRMED)).isEqualTo(new Move.Made(shipped, false));
        assertThat(place("late", "a lamp")).isEqualTo(new Placement.Placed(shipped, false));
        assertThat(history(order)).containsExactly("placed", "confirmed", "shipped");
    }

    @Test
    void allow_only_valid_transitions() throws Exception {
        Order order = placed("ways");
        assertThat(move(order, OrderStatus.SHIPPED)).isEqualTo(new Move.Impossible(order));
        assertThat(move(new Order("ord_none", "", "", ""), OrderStatus.SHIPPED)).isEqualTo(new Move.NoSuchOrder());
        assertThat(history(order)).containsExactly("placed");
    }

    @Test
    void require_a_transaction() throws Exception {
        try (Connection connection = database.getConnection()) {
            assertThatThrownBy(() -> orders.place(connection, "k", "ann@example.com", "a lamp"))
                    .hasMessageContaining("transaction");
            assertThatThrownBy(() -> orders.move(connection, "k", OrderStatus.SHIPPED))
                    .hasMessageContaining("transaction");
        }
    }

    /** The record replays the first answer; the table remembers the order longer than the record, with its current status. */
    @Test
    void remember_an_order_after_its_record_was_pruned() throws Exception {
        Intent intent = Intent.of(
                Operation.named("place-order"),
                Scope.of("acme"),
                Key.of("k1"),
                Fingerprinter.sha256().ofText("a lamp"));
        try (SemelEngine semel = SemelEngine.on(new PostgresStore(database)).build()) {
            Execution<String> first = placeInTransaction(semel, intent);
            Order order = placed(first.orThrow());
            move(order, OrderStatus.CONFIRMED);
            assertThat(placeInTransaction(semel, intent)).isInstanceOf(Execution.Replayed.class);
            forgetRecords();
            Execution<String> again = placeInTransaction(semel, intent);

            assertThat(again).isInstanceOf(Execution.Ran.class);
            assertThat(again.orThrow()).isEqualTo(first.orThrow());
            assertThat(history(order)).containsExactly("placed", "confirmed");
        }
    }

    /** As pruning does after the retention. */
    private static void forgetRecords() throws Exception {
        Transactions.run(database, connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate("DELETE FROM semel_record");
            }
        });
    }

    private static Execution<String> placeInTransaction(SemelEngine semel, Intent intent) throws Exception {
        return semel.executeInTransaction(database, intent, Codec.text(), (connection, attempt) -> {
            String key = attempt.downstreamKey("order");
            orders.place(connection, key, "ann@example.com", "a lamp");
            return key;
        });
    }
}
