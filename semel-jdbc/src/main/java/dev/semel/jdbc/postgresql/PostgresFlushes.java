package dev.semel.jdbc.postgresql;

import dev.semel.Identity;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.postgresql.PostgresBatch.Answered;
import dev.semel.jdbc.postgresql.PostgresBatch.Renewing;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.jdbc.postgresql.PostgresBatch.Writes;
import dev.semel.jdbc.postgresql.PostgresBatch.Written;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Runs batches against PostgreSQL: decides which statements the claims of a batch need, and repeats those that another
 * process overtook.
 *
 * <p>Every statement gets its calls in the order of their identities: batches lock the same rows in the same order,
 * so that no two of them wait for each other.
 */
final class PostgresFlushes {

    /** Any order will do that all processes share. */
    private static final Comparator<Identity> ORDER = Comparator.comparing(
                    (Identity identity) -> identity.key().value())
            .thenComparing(identity -> identity.scope().value());

    private final PostgresStatements statements;
    private final PostgresClaims claiming;
    private final SeenKeys seen;

    PostgresFlushes(PostgresStatements statements, TombstoneTable tombstones, SeenKeys seen) {
        this.statements = statements;
        this.seen = seen;
        this.claiming = new PostgresClaims(tombstones);
    }

    /**
     * Runs claims and settlements in one transaction, until every call is decided: each further round is due to another process
     * that wrote first. A lease that occurs twice is settled in two rounds: the answer to the second depends on the first.
     */
    void write(List<PostgresCall<?, ?>> calls) {
        List<PostgresCall.Claim> claims = sorted(calls(calls, PostgresCall.Claim.class), ClaimRequest::identity);
        List<PostgresCall.Settle> settlements = sorted(
                calls(calls, PostgresCall.Settle.class),
                settling -> settling.lease().identity());
        List<PostgresCall.Settle> refused = new ArrayList<>();
        try {
            boolean lost = false;
            for (int round = 0; !claims.isEmpty() || !settlements.isEmpty(); round++) {
                if (round == PostgresStatements.MOST_ROUNDS) {
                    throw PostgresFaults.undecided();
                }
                List<PostgresCall.Settle> settling = first(settlements, Settling::lease);
                try {
                    if (writeOnce(first(claims, ClaimRequest::holder), settling)) {
                        settling.stream().filter(BatchCall::isOpen).forEach(refused::add);
                        settlements = without(settlements, settling);
                    }
                } catch (LostException e) {
                    if (lost) {
                        throw e;
                    }
                    lost = true;
                    // A repeated claim finds its own lease; a repeated settlement would be refused.
                    settlements.forEach(call -> call.fail(e));
                    settlements = List.of();
                    statements.dropIdleConnections();
                }
                claims = claims.stream().filter(BatchCall::isOpen).toList();
            }
        } catch (UndoneException.Held e) {
            if (calls.size() > 1 || claims.isEmpty()) {
                throw e;
            }
            // A transaction that has not committed holds the key, for an unknown time.
            claims.get(0).answer(new ClaimAnswer.Busy(Duration.ZERO));
        }
        answerRefused(refused);
    }

    /**
     * Looks up keys that were seen in this process before; takes others for new, and reads their records if they are not.
     * False when all was undone because of other transactions.
     */
    private boolean writeOnce(List<PostgresCall.Claim> claims, List<PostgresCall.Settle> settlements) {
        List<PostgresCall.Claim> known = new ArrayList<>();
        List<PostgresCall.Claim> unseen = new ArrayList<>();
        for (PostgresCall.Claim call : claims) {
            (seen.contains(call.question().identity()) ? known : unseen).add(call);
        }
        Optional<List<Written>> rows = statements.tryOnce(
                PostgresBatch.write(new Writes(questions(known), questions(unseen), questions(settlements)), claiming));
        if (rows.isEmpty()) {
            return false;
        }
        List<PostgresCall.Claim> asked = new ArrayList<>(known);
        asked.addAll(unseen);
        List<PostgresCall.Claim> again = new ArrayList<>();
        Set<PostgresCall.Claim> absent = new LinkedHashSet<>(known);
        for (Written row : rows.get()) {
            if (row instanceof Written.Unclaimed unclaimed) {
                asked.get(unclaimed.position()).answer(new ClaimAnswer.TooLate());
            }
        }
        for (Written row : rows.get()) {
            if (row instanceof Written.Settled settled) {
                settlements.get(settled.position()).answer(settled.answer());
            } else if (row instanceof Written.Claimed claimed) {
                PostgresCall.Claim call = asked.get(claimed.position());
                if (call.isOpen()) {
                    seen.add(call.question().identity());
                    absent.remove(call);
                    claimed.answer().ifPresentOrElse(call::answer, () -> again.add(call));
                }
            }
        }
        absent.forEach(call -> seen.remove(call.question().identity()));
        if (!again.isEmpty()) {
            List<PostgresCall.Claim> sorted = sorted(again, ClaimRequest::identity);
            note(sorted, statements.tryRepeatable(claiming.again(questions(sorted))));
        }
        return true;
    }

    /** Answers settlements that were refused with the record as it is now. */
    private void answerRefused(List<PostgresCall.Settle> refused) {
        if (refused.isEmpty()) {
            return;
        }
        List<Identity> identities =
                refused.stream().map(call -> call.question().lease().identity()).toList();
        for (Answered<StoredRecord> found : statements.runRepeatable(PostgresBatch.find(identities))) {
            refused.get(found.position()).answer(new SettleAnswer.Refused(Optional.of(found.answer())));
        }
        refused.forEach(call -> call.answer(new SettleAnswer.Refused(Optional.empty())));
    }

    /** A lease that occurs twice is renewed twice, so that the second one is not answered as lost. */
    void renew(List<BatchCall<Renewing, RenewAnswer>> calls) {
        List<BatchCall<Renewing, RenewAnswer>> sorted =
                sorted(calls, renewing -> renewing.lease().identity());
        while (!sorted.isEmpty()) {
            List<BatchCall<Renewing, RenewAnswer>> round = first(sorted, Renewing::lease);
            note(round, statements.run(PostgresBatch.renew(questions(round))));
            round.forEach(call -> call.answer(RenewAnswer.LOST));
            sorted = without(sorted, round);
        }
    }

    void find(List<BatchCall<Identity, Optional<StoredRecord>>> calls) {
        List<BatchCall<Identity, Optional<StoredRecord>>> sorted = sorted(calls, Function.identity());
        for (Answered<StoredRecord> found : statements.runRepeatable(PostgresBatch.find(questions(sorted)))) {
            sorted.get(found.position()).answer(Optional.of(found.answer()));
        }
        sorted.forEach(call -> call.answer(Optional.empty()));
    }

    private static <C> List<C> calls(List<PostgresCall<?, ?>> calls, Class<C> kind) {
        return calls.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The calls in their order, without those that ask for what an earlier one asks. */
    private static <Q, C extends BatchCall<Q, ?>> List<C> first(List<C> calls, Function<Q, Object> once) {
        Set<Object> asked = new HashSet<>();
        return calls.stream()
                .filter(call -> asked.add(once.apply(call.question())))
                .toList();
    }

    private static <C> List<C> without(List<C> calls, List<C> those) {
        if (calls.size() == those.size()) {
            return List.of();
        }
        Set<C> gone = new HashSet<>(those);
        return calls.stream().filter(call -> !gone.contains(call)).toList();
    }

    private static <A> void note(List<? extends BatchCall<?, A>> calls, List<Answered<A>> answers) {
        for (Answered<A> answered : answers) {
            calls.get(answered.position()).answer(answered.answer());
        }
    }

    private static <Q> List<Q> questions(List<? extends BatchCall<Q, ?>> calls) {
        return calls.stream().<Q>map(BatchCall::question).toList();
    }

    private static <Q, C extends BatchCall<Q, ?>> List<C> sorted(List<C> calls, Function<Q, Identity> identity) {
        return calls.stream()
                .sorted(Comparator.comparing(call -> identity.apply(call.question()), ORDER))
                .toList();
    }
}
