package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The calls on a connection and their order, with each failure. */
class JdbcTransactionsTest {

    private final List<String> calls = new ArrayList<>();

    private TransactionRunner failingOn(String... methods) {
        Set<String> failing = Set.of(methods);
        Connection connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getAutoCommit")) {
                        return true;
                    }
                    calls.add(
                            method.getName().equals("setAutoCommit") ? "autocommit " + arguments[0] : method.getName());
                    if (failing.contains(calls.get(calls.size() - 1))) {
                        throw new SQLException(calls.get(calls.size() - 1));
                    }
                    return null;
                });
        return TransactionRunner.on((DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    return connection;
                }));
    }

    private void work(Connection connection) {
        calls.add("work");
    }

    private static void failure(Connection connection) {
        throw new IllegalStateException("work");
    }

    @Test
    void work_that_returns_commits() throws Exception {
        failingOn().run(this::work);

        assertThat(calls).containsExactly("autocommit false", "work", "commit", "autocommit true", "close");
    }

    @Test
    void work_that_throws_rolls_back() {
        assertThatThrownBy(() -> failingOn().run(JdbcTransactionsTest::failure)).hasMessage("work");

        assertThat(calls).containsExactly("autocommit false", "rollback", "autocommit true", "close");
    }

    /** SQLite leaves the transaction open when a commit finds the database busy. */
    @Test
    void a_commit_that_fails_is_an_exception_and_leaves_nothing_open() {
        assertThatThrownBy(() -> failingOn("commit").run(this::work)).hasMessage("commit");

        assertThat(calls).containsExactly("autocommit false", "work", "commit", "rollback", "autocommit true", "close");
    }

    /** Switching autocommit on would commit. */
    @Test
    void a_connection_that_cannot_roll_back_is_aborted() {
        assertThatThrownBy(() -> failingOn("rollback").run(JdbcTransactionsTest::failure))
                .hasMessage("work")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));

        assertThat(calls).containsExactly("autocommit false", "rollback", "abort", "close");
    }

    @Test
    void a_failure_after_the_commit_is_not_a_failure_of_the_transaction() throws Exception {
        failingOn("autocommit true", "close").run(this::work);

        assertThat(calls).containsExactly("autocommit false", "work", "commit", "autocommit true", "close");
    }

    @Test
    void work_that_could_not_begin_is_not_done() {
        assertThatThrownBy(() -> failingOn("autocommit false").run(this::work)).hasMessage("autocommit false");

        assertThat(calls).containsExactly("autocommit false", "close");
    }
}
