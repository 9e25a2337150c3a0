package dev.semel.jdbc.postgresql;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.RecordRow;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A verb as statements of one round trip and one transaction: their SQL, their arguments, and what the rows of their results
 * say. No row is an answer too, which the SQL explains.
 */
record PostgresQuery<T>(String verb, List<Part<T>> parts) {

    private static final String RECONCILE = Sql.file("postgresql/reconcile.sql");
    private static final String RESCHEDULE = Sql.file("postgresql/reschedule.sql");
    private static final String ANNOTATE = Sql.file("postgresql/annotate.sql");
    private static final String FORGET = Sql.file("postgresql/forget.sql");
    private static final String STEP = Sql.file("postgresql/step.sql");
    private static final String HISTORY = Sql.file("postgresql/history.sql");
    private static final String SAMPLE = Sql.file("postgresql/sample.sql");
    private static final String UNKNOWN = Sql.file("postgresql/list-unknown.sql");
    private static final String SWEEP = Sql.file("postgresql/sweep.sql");
    private static final String DUE = Sql.file("postgresql/due.sql");
    private static final String PRUNE_DELETE = Sql.file("postgresql/prune-delete.sql");
    private static final String PRUNE_BURY = Sql.file("postgresql/prune-bury.sql");
    private static final String TOMBSTONE_PRUNE = Sql.file("postgresql/tombstone-prune.sql");
    private static final String PRUNE_MARK = Sql.file("postgresql/prune-mark.sql");

    /**
     * The statements of each round trip in one text. There are as many as there are verbs and ways to put claims and
     * settlements together. The driver finds a text that it was given before without reading it.
     */
    private static final Map<List<String>, String> JOINED = new ConcurrentHashMap<>();

    /** Fills a statement's placeholders. */
    interface Binding {
        void bind(Arguments arguments) throws SQLException;
    }

    /** Makes an answer of a row that a statement returned. */
    interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** One statement of them, of one row or of arrays of many; without a reading, its result is ignored. */
    record Part<T>(
            String sql,
            boolean ofOne,
            Binding binding,
            @Nullable Reading<T> reading) {

        Part(String sql, Binding binding, Reading<T> reading) {
            this(sql, false, binding, reading);
        }

        static <T> Part<T> command(String sql) {
            return new Part<>(sql, false, arguments -> {}, null);
        }
    }

    PostgresQuery(String verb, String sql, Binding binding, Reading<T> reading) {
        this(verb, List.of(new Part<>(sql, binding, reading)));
    }

    /**
     * Executes it once in a transaction of its own, and reads every row. The connection commits by itself; the driver sends
     * all parts before one Sync message, so the server commits them together.
     */
    List<T> on(Connection connection) throws SQLException {
        String sql = JOINED.computeIfAbsent(parts.stream().map(Part::sql).toList(), PostgresQuery::joined);
        return execute(connection, sql, parts);
    }

    /** Executes it once in the transaction that the connection is in, with commands before and after it; reads every row. */
    List<T> within(Connection connection, List<String> before, List<String> after) throws SQLException {
        List<Part<T>> all = new ArrayList<>();
        before.forEach(command -> all.add(Part.command(command)));
        all.addAll(parts);
        after.forEach(command -> all.add(Part.command(command)));
        return execute(connection, joined(all.stream().map(Part::sql).toList()), all);
    }

    private static String joined(List<String> statements) {
        return String.join("; ", statements);
    }

    private static <T> List<T> execute(Connection connection, String sql, List<Part<T>> all) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Arguments arguments = new Arguments(statement);
            for (Part<T> part : all) {
                part.binding().bind(arguments.ofOne(part.ofOne()));
            }
            statement.execute();
            List<T> answers = new ArrayList<>();
            for (Part<T> part : all) {
                read(statement, part, answers);
                statement.getMoreResults();
            }
            return answers;
        }
    }

    private static <T> void read(PreparedStatement statement, Part<T> part, List<T> answers) throws SQLException {
        Reading<T> reading = part.reading();
        if (reading != null) {
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    answers.add(reading.read(rows));
                }
            }
        }
    }

    static PostgresQuery<SettleAnswer> reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return new PostgresQuery<>(
                "reconcile",
                RECONCILE,
                arguments -> bind(arguments, lease)
                        .text(Transitions.stateOf(outcome).label())
                        .bytes(responseOf(outcome))
                        .text(storableReasonOf(outcome))
                        .duration(retention)
                        .text(evidence.source())
                        .text(evidence.detail()),
                PostgresQuery::settled);
    }

    static byte @Nullable [] responseOf(Outcome outcome) {
        return outcome instanceof Outcome.Completed done ? done.response().bytes() : null;
    }

    /** PostgreSQL's text cannot hold NUL, and a settlement must not fail because of its reason. */
    static @Nullable String storableReasonOf(Outcome outcome) {
        String reason = Changes.reasonOf(outcome);
        return reason == null ? null : reason.replace("\0", "");
    }

    static PostgresQuery<SettleAnswer> reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        int tries = 0;
        Duration delay = Duration.ZERO;
        if (reschedule instanceof Reschedule.RetryAfter again) {
            tries = again.tries();
            delay = again.delay();
        } else if (reschedule instanceof Reschedule.DeadLetter deadLetter) {
            tries = deadLetter.tries();
        }
        int asked = tries;
        Duration pause = delay;
        return new PostgresQuery<>(
                "reschedule",
                RESCHEDULE,
                arguments -> bind(arguments, lease)
                        .text(Transitions.changeOf(reschedule).label())
                        .integer(asked)
                        .duration(pause)
                        .text(evidence.source())
                        .text(evidence.detail()),
                PostgresQuery::settled);
    }

    static PostgresQuery<SettleAnswer> annotate(Lease lease, Change change, Evidence evidence) {
        return new PostgresQuery<>(
                "annotate",
                ANNOTATE,
                arguments -> bind(arguments, lease)
                        .text(change.label())
                        .text(evidence.source())
                        .text(evidence.detail()),
                PostgresQuery::settled);
    }

    static PostgresQuery<SettleAnswer> forget(Lease lease, Evidence evidence) {
        return new PostgresQuery<>(
                "forget",
                FORGET,
                arguments -> bind(arguments, lease).text(evidence.source()).text(evidence.detail()),
                PostgresQuery::settled);
    }

    static SettleAnswer settled(ResultSet row) throws SQLException {
        return new SettleAnswer.Settled(State.ofLabel(row.getString("from_state")));
    }

    static PostgresQuery<StepAnswer> step(Lease lease, String name, Response result) {
        return new PostgresQuery<>(
                "record a step",
                STEP,
                arguments -> bind(arguments, lease)
                        .text(name)
                        .bytes(Steps.of(name, result).bytes()),
                row -> StepAnswer.RECORDED);
    }

    static PostgresQuery<AuditEntry> history(Identity identity) {
        return new PostgresQuery<>(
                "read the history",
                HISTORY,
                arguments -> bind(arguments, identity),
                row -> RecordRow.entry(row, PostgresQuery::instant));
    }

    static PostgresQuery<Identity> sample(int limit) {
        return new PostgresQuery<>(
                "list some records",
                SAMPLE,
                arguments -> arguments.limit(limit),
                row -> Identity.of(row.getString("scope"), row.getString("key")));
    }

    static PostgresQuery<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        Identity after = filter.after();
        return new PostgresQuery<>(
                "list what is unknown",
                UNKNOWN,
                arguments -> arguments
                        .text(filter.operation())
                        .flag(filter.deadLettered())
                        .text(after == null ? null : after.scope().value())
                        .text(after == null ? null : after.key().value())
                        .limit(limit),
                PostgresQuery::record);
    }

    static PostgresQuery<StoredRecord> sweep(int limit) {
        return new PostgresQuery<>(
                "sweep",
                SWEEP,
                arguments -> arguments.limit(limit).text(StoredRecord.LEASE_EXPIRED),
                PostgresQuery::record);
    }

    static PostgresQuery<StoredRecord> due(String operation, int limit, Duration hold) {
        return new PostgresQuery<>(
                "take what is due",
                DUE,
                arguments -> arguments.text(operation).limit(limit).duration(hold),
                PostgresQuery::record);
    }

    static PostgresQuery<Integer> prune(int limit, Expiry expiry, TombstoneTable tombstones) {
        if (expiry == Expiry.MARK || !tombstones.present()) {
            return new PostgresQuery<>(
                    "prune",
                    expiry == Expiry.DELETE ? PRUNE_DELETE : PRUNE_MARK,
                    arguments -> arguments.limit(limit),
                    row -> row.getInt("pruned"));
        }
        return new PostgresQuery<>(
                "prune",
                PRUNE_BURY,
                arguments -> arguments.limit(limit).flag(tombstones.keepsTombstones()),
                row -> row.getInt("pruned"));
    }

    /** Deletes tombstones whose time has passed. */
    static PostgresQuery<Integer> pruneTombstones(int limit, TombstoneTable tombstones) {
        return new PostgresQuery<>(
                "prune",
                TOMBSTONE_PRUNE,
                arguments -> arguments.duration(tombstones.keep()).limit(limit),
                row -> row.getInt("pruned"));
    }

    private static Arguments bind(Arguments arguments, Lease lease) throws SQLException {
        return bind(arguments, lease.identity()).number(lease.fence());
    }

    private static Arguments bind(Arguments arguments, Identity identity) throws SQLException {
        return arguments.text(identity.scope().value()).text(identity.key().value());
    }

    static StoredRecord record(ResultSet row) throws SQLException {
        Instant at = row.getObject("at", OffsetDateTime.class).toInstant();
        return RecordRow.read(row, at, PostgresQuery::instant);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
