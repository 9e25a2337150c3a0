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
 * Publishes what waits in the outbox, in the order of ids as far as committed: a message whose transaction commits later comes
 * later, even if its id is lower.
 *
 * <ol>
 *   <li>One relay at a time, of any number of processes: the others find the lock taken, and look again later. It goes with the
 *       connection of the one that has it.
 *   <li>A batch is published, and then deleted in the transaction that has read it. A crash in between publishes it again.
 *   <li>After a failure batches are of one message and grow from there: one that no broker takes holds up those behind it, and
 *       those before it are not published over and over.
 * </ol>
 */
public final class OutboxRelay implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    /** A transaction of a few milliseconds, and little to publish again after a crash. */
    private static final int BATCH = 100;

    private static final long LONGEST_CLOSE_SECONDS = 10;

    private final DataSource dataSource;
    private final Publisher publisher;
    private volatile int portion = BATCH;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "semel-outbox");
        made.setDaemon(true);
        return made;
    });

    public OutboxRelay(DataSource dataSource, Publisher publisher) {
        this.dataSource = dataSource;
        this.publisher = publisher;
    }

    /** Looks for messages again and again, with this pause after it has found none. */
    public OutboxRelay start(Duration pause) {
        // It ends when this is closed, and fails never.
        var unused = thread.scheduleWithFixedDelay(this::runUntilEmpty, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
        return this;
    }

    private void runUntilEmpty() {
        try {
            while (runOnce() > 0 && !thread.isShutdown()) {
                LOG.log(System.Logger.Level.DEBUG, "published a batch of the outbox");
            }
        } catch (Exception | Error e) {
            // Whatever it was: a task that throws is never run again, and nobody would hear of it.
            LOG.log(System.Logger.Level.WARNING, "messages of the outbox wait: they are published again", e);
        }
    }

    /**
     * Publishes one batch.
     *
     * @return how many were published; 0 also when another relay is at it
     * @throws Exception what the publisher threw, or the database; the messages are still there
     */
    public int runOnce() throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                int published = publishOn(connection);
                connection.commit();
                portion = Math.min(BATCH, 2 * portion);
                return published;
            } catch (Exception | Error e) {
                portion = 1;
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
        if (!isMyTurn(connection)) {
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

    private static boolean isMyTurn(Connection connection) throws SQLException {
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
            select.setInt(1, portion);
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

    /** Ends the search; a batch that is being published is finished first. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
