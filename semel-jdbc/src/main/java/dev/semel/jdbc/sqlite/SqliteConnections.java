package dev.semel.jdbc.sqlite;

import dev.semel.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store's connections to one SQLite file: one that writes, a few that read.
 *
 * <p>SQLite has one writer at a time. Writers of this process queue for a fair lock instead of polling for the file's;
 * writers of other processes are waited for by SQLite itself. All waiting is bounded.
 */
final class SqliteConnections implements AutoCloseable {

    /** Reads take microseconds each; more than the cores of a small machine would only take memory. */
    private static final int READERS = 4;

    private final DataSource dataSource;
    private final Duration busyTimeout;
    private final ReentrantLock writing = new ReentrantLock(true);

    /** Not fair: a read is over before a thread that was handed its turn would have woken up. */
    private final Semaphore reading = new Semaphore(READERS);

    private final ConcurrentLinkedQueue<SqliteConnection> idleReaders = new ConcurrentLinkedQueue<>();
    private @Nullable SqliteConnection writer;
    private volatile boolean closed;

    SqliteConnections(DataSource dataSource, Duration busyTimeout) {
        this.dataSource = dataSource;
        this.busyTimeout = busyTimeout;
    }

    /** What is done on a connection. */
    interface Work<T> {
        T on(SqliteConnection connection) throws SQLException;
    }

    /** Reads the file as it is now, without waiting for writers. */
    <T> T read(String verb, Work<T> work) {
        await(verb, () -> reading.tryAcquire(busyTimeout.toMillis(), TimeUnit.MILLISECONDS));
        try {
            requireOpen();
            SqliteConnection idle = idleReaders.poll();
            SqliteConnection reader = idle == null ? SqliteConnection.open(dataSource, busyTimeout) : idle;
            T result;
            try {
                result = work.on(reader);
            } catch (Throwable e) {
                closeAfter(e, reader);
                throw e;
            }
            idleReaders.add(reader);
            return result;
        } catch (SQLException e) {
            throw SqliteFaults.of(verb, e);
        } finally {
            reading.release();
            closeIdleIfClosed();
        }
    }

    /** Does the work in one transaction that holds the write lock from its start; durable when this returns. */
    <T> T write(String verb, Work<T> work) {
        await(verb, () -> writing.tryLock(busyTimeout.toMillis(), TimeUnit.MILLISECONDS));
        try {
            requireOpen();
            return inTransaction(writer(), work);
        } catch (SQLException e) {
            throw SqliteFaults.of(verb, e);
        } finally {
            writing.unlock();
        }
    }

    private SqliteConnection writer() throws SQLException {
        SqliteConnection existing = writer;
        if (existing == null) {
            existing = SqliteStartup.openWriter(dataSource, busyTimeout);
            writer = existing;
        }
        return existing;
    }

    private <T> T inTransaction(SqliteConnection connection, Work<T> work) throws SQLException {
        try {
            connection.execute("BEGIN IMMEDIATE");
            T result = work.on(connection);
            connection.execute("COMMIT");
            return result;
        } catch (Throwable e) {
            // Closing undoes an open transaction, whatever state it is in; the next write opens a new connection. That
            // holds for errors too: a transaction that stayed open would keep the write lock from every process.
            writer = null;
            closeAfter(e, connection);
            throw e;
        }
    }

    private static void closeAfter(Throwable failure, SqliteConnection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** A bounded wait for a lock or a permit; false when the time is over. */
    private interface Turn {
        boolean tryAcquire() throws InterruptedException;
    }

    private void await(String verb, Turn turn) {
        try {
            if (!turn.tryAcquire()) {
                throw new StoreException("SQLite could not " + verb + ": others in this process kept the file busy for "
                        + busyTimeout + "; try again, or raise busyTimeoutMillis");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for a turn to " + verb, e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException("the store is closed");
        }
    }

    private void closeIdleIfClosed() {
        if (closed) {
            try {
                closeIdle();
            } catch (SQLException e) {
                throw SqliteFaults.of("close", e);
            }
        }
    }

    private void closeIdle() throws SQLException {
        for (SqliteConnection idle = idleReaders.poll(); idle != null; idle = idleReaders.poll()) {
            idle.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        writing.lock();
        try {
            closeIdle();
            SqliteConnection existing = writer;
            writer = null;
            if (existing != null) {
                existing.close();
            }
        } catch (SQLException e) {
            throw SqliteFaults.of("close", e);
        } finally {
            writing.unlock();
        }
    }
}
