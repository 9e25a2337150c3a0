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

/** One statement in a loop: a few threads, each with a connection, take whatever waits and execute it as one batch. */
final class BareLane implements AutoCloseable {

    /** As many as the store takes. */
    private static final int MOST_IN_BATCH = 512;

    /** What a key waits for: the fence of its record. */
    record Asked(String key, String holder, long fence, CompletableFuture<Long> answer) {}

    /** Fills the statement's arrays. */
    interface Binding {
        void bind(PreparedStatement statement, List<Asked> batch) throws SQLException;
    }

    /** Completes the answers of a batch from the rows. */
    interface Reading {
        void read(ResultSet rows, List<Asked> batch) throws SQLException;
    }

    private final BlockingQueue<Asked> waiting = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final String sql;
    private final Binding binding;
    private final Reading reading;

    BareLane(HikariDataSource pool, int lanes, String sql, Binding binding, Reading reading) {
        this.sql = sql;
        this.binding = binding;
        this.reading = reading;
        for (int number = 0; number < lanes; number++) {
            Thread thread = new Thread(() -> run(pool));
            thread.setName("bare-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    CompletableFuture<Long> ask(String key, String holder, long fence) {
        Asked asked = new Asked(key, holder, fence, new CompletableFuture<>());
        waiting.add(asked);
        return asked.answer();
    }

    private void run(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            while (!Thread.currentThread().isInterrupted()) {
                List<Asked> batch = new ArrayList<>();
                batch.add(waiting.take());
                waiting.drainTo(batch, MOST_IN_BATCH - 1);
                batch.sort(Comparator.comparing(Asked::key));
                try {
                    flush(statement, batch);
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

    private void flush(PreparedStatement statement, List<Asked> batch) throws SQLException {
        binding.bind(statement, batch);
        // Before it comes what tells the planner not to scan.
        statement.execute();
        statement.getMoreResults();
        try (ResultSet rows = statement.getResultSet()) {
            reading.read(rows, batch);
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
