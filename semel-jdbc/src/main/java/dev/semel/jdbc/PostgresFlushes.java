package dev.semel.jdbc;

import dev.semel.Identity;
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
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final SeenKeys seen = new SeenKeys();

    PostgresFlushes(PostgresStatements statements) {
        this.statements = statements;
    }

    /** Asks until every claim is decided: each round is lost to somebody who got on. */
    void claim(List<BatchCall<ClaimRequest, ClaimAnswer>> calls) {
        List<BatchCall<ClaimRequest, ClaimAnswer>> open = sorted(calls, ClaimRequest::identity);
        try {
            for (int round = 0; round < PostgresStatements.MOST_ROUNDS && !open.isEmpty(); round++) {
                claimOnce(rounds(open, ClaimRequest::holder).get(0));
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

    /** Keys that were seen here before are looked up; others are taken for new, and their records read if they are not. */
    private void claimOnce(List<BatchCall<ClaimRequest, ClaimAnswer>> calls) {
        List<BatchCall<ClaimRequest, ClaimAnswer>> known = new ArrayList<>();
        List<BatchCall<ClaimRequest, ClaimAnswer>> others = new ArrayList<>();
        for (BatchCall<ClaimRequest, ClaimAnswer> call : calls) {
            (seen.contains(call.question().identity()) ? known : others).add(call);
        }
        List<BatchCall<ClaimRequest, ClaimAnswer>> asked = new ArrayList<>(known);
        asked.addAll(others);
        List<BatchCall<ClaimRequest, ClaimAnswer>> again = new ArrayList<>();
        Set<BatchCall<ClaimRequest, ClaimAnswer>> absent = new LinkedHashSet<>(known);
        for (Answered<Optional<ClaimAnswer>> answered :
                statements.tryRepeatable(PostgresBatch.claim(questions(known), questions(others)))) {
            BatchCall<ClaimRequest, ClaimAnswer> call = asked.get(answered.position());
            seen.add(call.question().identity());
            absent.remove(call);
            answered.answer().ifPresentOrElse(call::answer, () -> again.add(call));
        }
        absent.forEach(call -> seen.remove(call.question().identity()));
        if (!again.isEmpty()) {
            List<BatchCall<ClaimRequest, ClaimAnswer>> sorted = sorted(again, ClaimRequest::identity);
            note(sorted, statements.tryRepeatable(PostgresBatch.claimAgain(questions(sorted))));
        }
    }

    /**
     * Those that were refused are told what the record is now. A lease that comes twice is settled in two rounds: what the
     * second one gets depends on what the first one left.
     */
    void settle(List<BatchCall<Settling, SettleAnswer>> calls) {
        List<BatchCall<Settling, SettleAnswer>> sorted =
                sorted(calls, settling -> settling.lease().identity());
        for (List<BatchCall<Settling, SettleAnswer>> round : rounds(sorted, Settling::lease)) {
            note(round, statements.run(PostgresBatch.settle(questions(round))));
        }
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
        List<BatchCall<Renewing, RenewAnswer>> sorted =
                sorted(calls, renewing -> renewing.lease().identity());
        for (List<BatchCall<Renewing, RenewAnswer>> round : rounds(sorted, Renewing::lease)) {
            note(round, statements.run(PostgresBatch.renew(questions(round))));
            round.forEach(call -> call.answer(RenewAnswer.LOST));
        }
    }

    void find(List<BatchCall<Identity, Optional<StoredRecord>>> calls) {
        List<BatchCall<Identity, Optional<StoredRecord>>> sorted = sorted(calls, Function.identity());
        for (Answered<StoredRecord> found : statements.runRepeatable(PostgresBatch.find(questions(sorted)))) {
            sorted.get(found.position()).answer(Optional.of(found.answer()));
        }
        sorted.forEach(call -> call.answer(Optional.empty()));
    }

    /** The calls in their order, in as many rounds as it takes for nothing to come twice in one. */
    private static <Q, A> List<List<BatchCall<Q, A>>> rounds(List<BatchCall<Q, A>> calls, Function<Q, Object> once) {
        Map<Object, Integer> times = new HashMap<>();
        List<List<BatchCall<Q, A>>> rounds = new ArrayList<>();
        for (BatchCall<Q, A> call : calls) {
            int round = times.merge(once.apply(call.question()), 1, Integer::sum) - 1;
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(call);
        }
        return rounds;
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
