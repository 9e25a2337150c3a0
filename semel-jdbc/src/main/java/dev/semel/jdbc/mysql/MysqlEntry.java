package dev.semel.jdbc.mysql;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.jdbc.batch.BatchLimits;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.Records;
import dev.semel.jdbc.internal.Verbs;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A verb about one record, before it is decided.
 *
 * @param verb its name, for messages
 * @param identity the record that it is about
 * @param bytes about how much of it is sent to the server
 * @param decision what it does with the locked record; it runs twice, the first time to find what it would write
 */
record MysqlEntry<A>(String verb, Identity identity, long bytes, Decision<A> decision) {

    /** What a verb does with records that are locked. */
    interface Decision<A> {
        A on(Records records) throws SQLException;
    }

    private MysqlEntry(String verb, Lease lease, long bytes, Decision<A> decision) {
        this(verb, lease.identity(), bytes, decision);
    }

    static MysqlEntry<ClaimAnswer> claim(ClaimRequest request) {
        requireMeasurable(request.lease());
        return new MysqlEntry<>(
                "claim", request.identity(), BatchLimits.QUESTION_BYTES, records -> Verbs.claim(records, request));
    }

    static MysqlEntry<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        requireMeasurable(retention);
        return new MysqlEntry<>(
                "settle",
                lease,
                BatchLimits.bytesOf(outcome),
                records -> Verbs.settle(records, lease, outcome, retention));
    }

    static MysqlEntry<SettleAnswer> reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        requireMeasurable(retention);
        return new MysqlEntry<>(
                "reconcile",
                lease,
                BatchLimits.bytesOf(outcome),
                records -> Verbs.reconcile(records, lease, outcome, evidence, retention));
    }

    static MysqlEntry<SettleAnswer> reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        if (reschedule instanceof Reschedule.RetryAfter again) {
            requireMeasurable(again.delay());
        }
        return new MysqlEntry<>(
                "reschedule",
                lease,
                BatchLimits.QUESTION_BYTES,
                records -> Verbs.reschedule(records, lease, reschedule, evidence));
    }

    static MysqlEntry<SettleAnswer> annotate(Lease lease, Change change, Evidence evidence) {
        return new MysqlEntry<>(
                "annotate",
                lease,
                BatchLimits.QUESTION_BYTES,
                records -> Verbs.annotate(records, lease, change, evidence));
    }

    static MysqlEntry<SettleAnswer> forget(Lease lease, Evidence evidence) {
        return new MysqlEntry<>(
                "forget", lease, BatchLimits.QUESTION_BYTES, records -> Verbs.forget(records, lease, evidence));
    }

    static MysqlEntry<RenewAnswer> renew(Lease lease, Duration duration) {
        requireMeasurable(duration);
        return new MysqlEntry<>(
                "renew", lease, BatchLimits.QUESTION_BYTES, records -> Verbs.renew(records, lease, duration));
    }

    static MysqlEntry<StepAnswer> step(Lease lease, String name, Response result) {
        return new MysqlEntry<>(
                "record a step",
                lease,
                BatchLimits.QUESTION_BYTES + result.size(),
                records -> Verbs.step(records, lease, name, result));
    }

    /** Checked before the call joins a batch: a duration that no calendar holds would fail every call of the batch. */
    static void requireMeasurable(Duration duration) {
        Micros.of(duration);
    }
}
