package dev.semel.jdbc;

import dev.semel.Evidence;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Pursuit;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StepAnswer;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A verb about one record, before it is decided.
 *
 * @param verb its name, for messages
 * @param identity the record that it is about
 * @param claim what is asked for, if it is a claim: that may have an answer which needs no lock
 * @param decision what it does with the record in hand; it is decided twice, once to see what it would write
 */
record MysqlEntry<A>(
        String verb, Identity identity, @Nullable ClaimRequest claim, Decision<A> decision) {

    /** What a verb does with records that are locked. */
    interface Decision<A> {
        A on(Records records) throws SQLException;
    }

    private MysqlEntry(String verb, Lease lease, Decision<A> decision) {
        this(verb, lease.identity(), null, decision);
    }

    static MysqlEntry<ClaimAnswer> claim(ClaimRequest request) {
        return new MysqlEntry<>("claim", request.identity(), request, records -> Verbs.claim(records, request));
    }

    static MysqlEntry<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return new MysqlEntry<>("settle", lease, records -> Verbs.settle(records, lease, outcome, retention));
    }

    static MysqlEntry<SettleAnswer> reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return new MysqlEntry<>(
                "reconcile", lease, records -> Verbs.reconcile(records, lease, outcome, evidence, retention));
    }

    static MysqlEntry<SettleAnswer> pursue(Lease lease, Pursuit pursuit, Evidence evidence) {
        return new MysqlEntry<>("pursue", lease, records -> Verbs.pursue(records, lease, pursuit, evidence));
    }

    static MysqlEntry<RenewAnswer> renew(Lease lease, Duration duration) {
        return new MysqlEntry<>("renew", lease, records -> Verbs.renew(records, lease, duration));
    }

    static MysqlEntry<StepAnswer> step(Lease lease, String name, Response result) {
        return new MysqlEntry<>("record a step", lease, records -> Verbs.step(records, lease, name, result));
    }
}
