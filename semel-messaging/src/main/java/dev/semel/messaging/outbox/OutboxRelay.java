package dev.semel.messaging.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Publishes the messages of the outbox, in the order of the ids that are committed: a message whose transaction commits later
 * is published later, even if its id is lower.
 *
 * <ol>
 *   <li>One relay publishes at a time, of any number of processes: the others find the lock taken and try again later. The lock
 *       ends with its holder's connection.
 *   <li>A batch is published, then deleted in the transaction that read it. After a crash in between it is published again.
 *   <li>After a failure the next batch has one message, and batches double from there. A message that the broker refuses
 *       blocks those behind it, and those before it are not published over and over.
 * </ol>
 */
public final class OutboxRelay implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    /** A transaction of a few milliseconds, and little to publish again after a crash. */
    private static final int MAX_BATCH = 100;

    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final DataSource dataSource;
    private final Publisher publisher;
    private volatile int batchSize = MAX_BATCH;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "semel-outbox");
        made.setDaemon(true);
        return made;
    });

    public OutboxRelay(DataSource dataSource, Publisher publisher) {
        this.dataSource = dataSource;
        this.publisher = publisher;
    }

    /** Starts a thread that publishes messages until {@link #close}, and pauses this long when the outbox is empty. */
    public OutboxRelay start(Duration pause) {
        // The task never throws, and close() ends it.
        var unused = thread.scheduleWithFixedDelay(this::runUntilEmpty, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
        return this;
    }

    private void runUntilEmpty() {
        try {
            while (runOnce() > 0 && !thread.isShutdown()) {
                LOG.log(System.Logger.Level.DEBUG, "published a batch of the outbox");
            }
        } catch (Exception | Error e) {
            // A scheduled task that throws is not run again, and its exception is lost.
            LOG.log(System.Logger.Level.WARNING, "publishing the outbox failed; it is tried again after the pause", e);
        }
    }

    /**
     * Publishes one batch.
     *
     * @return the number of published messages; 0 also when another relay holds the lock
     * @throws Exception of the publisher or of the database; the messages stay in the outbox
     */
    public int runOnce() throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                int published = publishOn(connection);
                connection.commit();
                batchSize = Math.min(MAX_BATCH, 2 * batchSize);
                return published;
            } catch (Exception | Error e) {
                batchSize = 1;
                rollBack(connection, e);
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private static void rollBack(Connection connection, Throwable why) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    private int publishOn(Connection connection) throws Exception {
        if (!tryLock(connection)) {
            return 0;
        }
        List<Long> ids = new ArrayList<>();
        List<OutboxMessage> messages = new ArrayList<>();
        read(connection, ids, messages);
        if (messages.isEmpty()) {
            return 0;
        }
        publisher.publish(messages);
        delete(connection, ids);
        return messages.size();
    }

    private static boolean tryLock(Connection connection) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(
                        "SELECT pg_try_advisory_xact_lock('semel_outbox'::regclass::oid::bigint)");
                ResultSet row = lock.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private void read(Connection connection, List<Long> ids, List<OutboxMessage> messages) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT id, destination, message_key, idempotency_key, payload
                FROM semel_outbox ORDER BY id LIMIT ?
                """)) {
            select.setInt(1, batchSize);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                    messages.add(new OutboxMessage(
                            rows.getString(2), rows.getString(3), rows.getString(4), rows.getBytes(5)));
                }
            }
        }
    }

    private static void delete(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM semel_outbox WHERE id = ANY (?)")) {
            delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
            delete.executeUpdate();
        }
    }

    /** Stops publishing, after the current batch. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
