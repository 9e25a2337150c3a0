package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/** Statements in a loop: a few threads, each with a connection, take whatever waits and execute it in one round trip. */
final class BareLane implements AutoCloseable {

    /** As many as the store takes. */
    private static final int MOST_IN_BATCH = 512;

    /** What is asked. */
    enum Verb {
        CLAIM,
        SETTLE
    }

    /** What a key waits for: the fence of its record. */
    record Asked(Verb verb, String key, String holder, long fence, CompletableFuture<Long> answer) {}

    /** A verb's statement, and how it is used for a batch. */
    interface Asking {
        Verb verb();

        String sql();

        /** Fills the statement's arrays from this position; returns the next one. */
        int bind(PreparedStatement statement, int position, List<Asked> batch) throws SQLException;

        /** Completes the answers of a batch from the rows. */
        void read(ResultSet rows, List<Asked> batch) throws SQLException;
    }

    private final BlockingQueue<Asked> waiting = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final String before;
    private final List<Asking> verbs;

    /**
     * @param before comes before every batch, in the same round trip
     * @param verbs in the order in which their statements come
     */
    BareLane(HikariDataSource pool, int lanes, String before, List<Asking> verbs) {
        this.before = before;
        this.verbs = verbs;
        for (int number = 0; number < lanes; number++) {
            Thread thread = new Thread(() -> run(pool));
            thread.setName("bare-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    CompletableFuture<Long> ask(Verb verb, String key, long fence) {
        Asked asked = new Asked(verb, key, key, fence, new CompletableFuture<>());
        waiting.add(asked);
        return asked.answer();
    }

    private void run(HikariDataSource pool) {
        try (Connection connection = pool.getConnection()) {
            while (!Thread.currentThread().isInterrupted()) {
                List<Asked> batch = new ArrayList<>();
                batch.add(waiting.take());
                waiting.drainTo(batch, MOST_IN_BATCH - 1);
                batch.sort(Comparator.comparing(Asked::key));
                try {
                    flush(connection, batch);
                } catch (SQLException e) {
                    batch.forEach(asked -> asked.answer().completeExceptionally(e));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            throw new IllegalStateException("the bare loop has no connection: " + e.getMessage(), e);
        }
    }

    /** Those of a batch who ask the same. */
    private record Portion(Asking asking, List<Asked> asked) {}

    private void flush(Connection connection, List<Asked> batch) throws SQLException {
        List<Portion> portions = verbs.stream()
                .map(asking -> new Portion(
                        asking,
                        batch.stream()
                                .filter(asked -> asked.verb() == asking.verb())
                                .toList()))
                .filter(portion -> !portion.asked().isEmpty())
                .toList();
        String sql = portions.stream()
                .map(portion -> portion.asking().sql())
                .collect(Collectors.joining("; ", before + "; ", ""));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int position = 1;
            for (Portion portion : portions) {
                position = portion.asking().bind(statement, position, portion.asked());
            }
            statement.execute();
            for (Portion portion : portions) {
                statement.getMoreResults();
                try (ResultSet rows = statement.getResultSet()) {
                    portion.asking().read(rows, portion.asked());
                }
            }
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
