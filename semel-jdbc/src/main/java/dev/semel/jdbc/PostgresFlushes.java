package dev.semel.jdbc;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.jdbc.PostgresBatch.Answered;
import dev.semel.jdbc.PostgresBatch.Renewing;
import dev.semel.jdbc.PostgresBatch.Settling;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How a batch of each kind is answered.
 *
 * <p>Every statement gets its calls in the order of their identities: batches that want the same rows want them in the same
 * order, so none waits for another that waits for it.
 */
final class PostgresFlushes {

    /** Any order will do that all processes share. */
    private static final Comparator<Identity> ORDER = Comparator.comparing(
                    (Identity identity) -> identity.key().value())
            .thenComparing(identity -> identity.scope().value());

    private final PostgresStatements statements;

    PostgresFlushes(PostgresStatements statements) {
        this.statements = statements;
    }

    /** Asks until every claim is decided: each round is lost to somebody who got on. */
    void claim(List<BatchCall<ClaimRequest, ClaimAnswer>> calls) {
        List<BatchCall<ClaimRequest, ClaimAnswer>> open = sorted(calls, ClaimRequest::identity);
        try {
            for (int round = 0; round < PostgresStatements.MOST_ROUNDS && !open.isEmpty(); round++) {
                claimOnce(open);
                open = open.stream().filter(BatchCall::isOpen).toList();
            }
        } catch (UndoneException.Held e) {
            if (calls.size() > 1) {
                throw e;
            }
            // Somebody's transaction is at it and has not committed: nobody knows for how long.
            calls.get(0).answer(new ClaimAnswer.Busy(Duration.ZERO));
            return;
        }
        if (!open.isEmpty()) {
            throw PostgresFaults.undecided();
        }
    }

    private void claimOnce(List<BatchCall<ClaimRequest, ClaimAnswer>> calls) {
        SortedMap<Integer, Optional<ClaimAnswer>> answers = new TreeMap<>();
        for (Answered<Optional<ClaimAnswer>> answered :
                statements.tryRepeatable(PostgresBatch.claim(questions(calls)))) {
            answers.put(answered.position(), answered.answer());
        }
        List<BatchCall<ClaimRequest, ClaimAnswer>> again = new ArrayList<>();
        answers.forEach((position, answer) -> {
            BatchCall<ClaimRequest, ClaimAnswer> call = calls.get(position);
            answer.ifPresentOrElse(call::answer, () -> again.add(call));
        });
        if (!again.isEmpty()) {
            note(again, statements.tryRepeatable(PostgresBatch.claimAgain(questions(again))));
        }
    }

    /** Those that were refused are told what the record is now. */
    void settle(List<BatchCall<Settling, SettleAnswer>> calls) {
        List<BatchCall<Settling, SettleAnswer>> sorted =
                sorted(calls, settling -> settling.lease().identity());
        note(sorted, statements.run(PostgresBatch.settle(questions(sorted))));
        List<BatchCall<Settling, SettleAnswer>> refused =
                sorted.stream().filter(BatchCall::isOpen).toList();
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

    /** A lease that comes twice is renewed twice, lest the second time looks lost. */
    void renew(List<BatchCall<Renewing, RenewAnswer>> calls) {
        List<BatchCall<Renewing, RenewAnswer>> rest =
                sorted(calls, renewing -> renewing.lease().identity());
        while (!rest.isEmpty()) {
            Set<Lease> seen = new HashSet<>();
            List<BatchCall<Renewing, RenewAnswer>> distinct = new ArrayList<>();
            List<BatchCall<Renewing, RenewAnswer>> repeated = new ArrayList<>();
            for (BatchCall<Renewing, RenewAnswer> call : rest) {
                (seen.add(call.question().lease()) ? distinct : repeated).add(call);
            }
            note(distinct, statements.run(PostgresBatch.renew(questions(distinct))));
            distinct.forEach(call -> call.answer(RenewAnswer.LOST));
            rest = repeated;
        }
    }

    void find(List<BatchCall<Identity, Optional<StoredRecord>>> calls) {
        List<BatchCall<Identity, Optional<StoredRecord>>> sorted = sorted(calls, Function.identity());
        for (Answered<StoredRecord> found : statements.runRepeatable(PostgresBatch.find(questions(sorted)))) {
            sorted.get(found.position()).answer(Optional.of(found.answer()));
        }
        sorted.forEach(call -> call.answer(Optional.empty()));
    }

    private static <Q, A> void note(List<BatchCall<Q, A>> calls, List<Answered<A>> answers) {
        for (Answered<A> answered : answers) {
            calls.get(answered.position()).answer(answered.answer());
        }
    }

    private static <Q, A> List<Q> questions(List<BatchCall<Q, A>> calls) {
        return calls.stream().map(BatchCall::question).toList();
    }

    private static <Q, A> List<BatchCall<Q, A>> sorted(List<BatchCall<Q, A>> calls, Function<Q, Identity> identity) {
        return calls.stream()
                .sorted(Comparator.comparing(call -> identity.apply(call.question()), ORDER))
                .toList();
    }
}
