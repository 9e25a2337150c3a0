package dev.semel.cassandra.table;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import dev.semel.StoreException;
import dev.semel.items.Pauses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Calls of the cluster. Reads are repeated; a conditional write never is here, because {@link RecordTable} has to find out first. */
final class Calls {

    /** Three tries ride out a lost connection or a node that has just died. */
    private static final int TRIES = 3;

    private static final long FIRST_PAUSE_MILLIS = 20;

    private final CqlSession session;
    private final NodeClocks clocks;
    private final Pauses pauses = new Pauses();

    Calls(CqlSession session, NodeClocks clocks) {
        this.session = session;
        this.clocks = clocks;
    }

    /** A page of rows, and the number of the next one. */
    record Answer(AsyncResultSet rows, long sent) {}

    /** What came of a call: an answer, or a fault. */
    record Reply<T>(@Nullable T answer, @Nullable Throwable thrown) {

        Throwable cause() {
            return Calls.cause(Objects.requireNonNull(thrown));
        }
    }

    /** Sends a statement once. */
    CompletableFuture<Answer> once(Statement<?> statement) {
        long sent = clocks.elapsed();
        try {
            return session.executeAsync(statement).toCompletableFuture().thenApply(rows -> new Answer(rows, sent));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Sends a read until it is answered. */
    CompletableFuture<Answer> read(Statement<?> statement) {
        return read(statement, 1);
    }

    private CompletableFuture<Answer> read(Statement<?> statement, int number) {
        return once(statement).handle(Reply::new).thenCompose(reply -> {
            if (reply.answer() != null) {
                return CompletableFuture.completedFuture(reply.answer());
            }
            Throwable cause = reply.cause();
            return number < TRIES && mayPass(cause)
                    ? pause(number).thenCompose(done -> read(statement, number + 1))
                    : CompletableFuture.failedFuture(fault(cause));
        });
    }

    /** Reads all rows of a read that has a limit. */
    CompletableFuture<List<Row>> rows(Statement<?> statement) {
        return read(statement).thenCompose(answer -> rest(answer.rows(), new ArrayList<>()));
    }

    private static CompletableFuture<List<Row>> rest(AsyncResultSet page, List<Row> rows) {
        page.currentPage().forEach(rows::add);
        return page.hasMorePages()
                ? page.fetchNextPage()
                        .toCompletableFuture()
                        .handle((next, thrown) -> {
                            if (thrown != null) {
                                throw fault(cause(thrown));
                            }
                            return next;
                        })
                        .thenCompose(next -> rest(next, rows))
                : CompletableFuture.completedFuture(rows);
    }

    /** Sets the clock by the time that the coordinator of an answer tells, and returns what may be decided by it. */
    Instant heard(Answer answer, Row row) {
        Instant told = row.getInstant(Statements.TOLD);
        if (told == null) {
            throw new StoreException("a node did not tell its time");
        }
        Node node = answer.rows().getExecutionInfo().getCoordinator();
        if (node != null && node.getHostId() != null) {
            clocks.heard(node.getHostId(), told, answer.sent());
        }
        return clocks.decisive(told);
    }

    /** Waits a moment that differs from caller to caller, longer with each try. */
    CompletableFuture<Void> pause(int number) {
        long most = FIRST_PAUSE_MILLIS << Math.min(2 * number, 6);
        return pauses.pause(ThreadLocalRandom.current().nextLong(most / 2, most));
    }

    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /** Whether the same call can succeed a moment later; a statement that the server refuses cannot. */
    static boolean mayPass(Throwable cause) {
        return refusalIn(cause) == null && !(cause instanceof StoreException);
    }

    /** A refusal of the statement itself: malformed, not allowed, or too large. */
    private static @Nullable Throwable refusalIn(Throwable cause) {
        if (cause instanceof QueryValidationException) {
            return cause;
        }
        if (cause instanceof AllNodesFailedException all) {
            return all.getAllErrors().values().stream()
                    .flatMap(Collection::stream)
                    .filter(QueryValidationException.class::isInstance)
                    .findFirst()
                    .orElse(null);
        }
        return null;
    }

    static StoreException fault(Throwable cause) {
        if (cause instanceof StoreException fault) {
            return fault;
        }
        Throwable refusal = refusalIn(cause);
        return refusal != null
                ? new StoreException("Cassandra refused the request: " + refusal.getMessage(), cause)
                : new StoreException("Cassandra gave no clear answer (" + cause.getMessage() + ")", cause);
    }
}
