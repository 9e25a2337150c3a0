package dev.semel.jdbc;

import dev.semel.Identity;
import dev.semel.jdbc.PostgresBatch.Answered;
import dev.semel.jdbc.PostgresBatch.Renewing;
import dev.semel.jdbc.PostgresBatch.Settling;
import dev.semel.jdbc.PostgresBatch.Writes;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
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

    /**
     * Claims and settlements together. Asks until every call is decided: each round is lost to somebody who got on. A lease
     * that comes twice is settled in two rounds: what the second one gets depends on what the first one left.
     */
    void write(List<? extends BatchCall<?, ?>> calls) {
        List<BatchCall<ClaimRequest, ClaimAnswer>> claims =
                sorted(calls(calls, ClaimRequest.class), ClaimRequest::identity);
        List<BatchCall<Settling, SettleAnswer>> settlements = sorted(
                calls(calls, Settling.class), settling -> settling.lease().identity());
        List<BatchCall<Settling, SettleAnswer>> refused = new ArrayList<>();
        try {
            boolean lost = false;
            for (int round = 0; !claims.isEmpty() || !settlements.isEmpty(); round++) {
                if (round == PostgresStatements.MOST_ROUNDS) {
                    throw PostgresFaults.undecided();
                }
                List<BatchCall<Settling, SettleAnswer>> settling = first(settlements, Settling::lease);
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
                    // A claim finds its own lease when it is repeated; a settlement would find that it is not wanted.
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
            // Somebody's transaction is at it and has not committed: nobody knows for how long.
            claims.get(0).answer(new ClaimAnswer.Busy(Duration.ZERO));
        }
        tellRefused(refused);
    }

    /**
     * Keys that were seen here before are looked up; others are taken for new, and their records read if they are not. False
     * when all was undone because of others.
     */
    private boolean writeOnce(
            List<BatchCall<ClaimRequest, ClaimAnswer>> claims, List<BatchCall<Settling, SettleAnswer>> settlements) {
        List<BatchCall<ClaimRequest, ClaimAnswer>> known = new ArrayList<>();
        List<BatchCall<ClaimRequest, ClaimAnswer>> asked = new ArrayList<>();
        for (BatchCall<ClaimRequest, ClaimAnswer> call : claims) {
            (seen.contains(call.question().identity()) ? known : asked).add(call);
        }
        Optional<List<Answered<Optional<?>>>> answers = statements.tryOnce(
                PostgresBatch.write(new Writes(questions(known), questions(asked), questions(settlements))));
        if (answers.isEmpty()) {
            return false;
        }
        asked.addAll(0, known);
        List<BatchCall<ClaimRequest, ClaimAnswer>> again = new ArrayList<>();
        Set<BatchCall<ClaimRequest, ClaimAnswer>> absent = new LinkedHashSet<>(known);
        for (Answered<Optional<?>> answered : answers.get()) {
            if (answered.position() >= asked.size()) {
                settlements.get(answered.position() - asked.size()).answer((SettleAnswer)
                        answered.answer().orElseThrow());
                continue;
            }
            BatchCall<ClaimRequest, ClaimAnswer> call = asked.get(answered.position());
            if (!call.isOpen()) {
                continue;
            }
            seen.add(call.question().identity());
            absent.remove(call);
            answered.answer().ifPresentOrElse(answer -> call.answer((ClaimAnswer) answer), () -> again.add(call));
        }
        absent.forEach(call -> seen.remove(call.question().identity()));
        if (!again.isEmpty()) {
            List<BatchCall<ClaimRequest, ClaimAnswer>> sorted = sorted(again, ClaimRequest::identity);
            note(sorted, statements.tryRepeatable(PostgresBatch.claimAgain(questions(sorted))));
        }
        return true;
    }

    /** Those that were refused are told what the record is now. */
    private void tellRefused(List<BatchCall<Settling, SettleAnswer>> refused) {
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

    /** Those calls that ask such a question: whoever asks it is told its kind of answer. */
    @SuppressWarnings("unchecked")
    private static <Q, A> List<BatchCall<Q, A>> calls(List<? extends BatchCall<?, ?>> calls, Class<Q> question) {
        return (List<BatchCall<Q, A>>) (List<?>) calls.stream()
                .filter(call -> question.isInstance(call.question()))
                .toList();
    }

    /** The calls in their order, without those that ask for what an earlier one asks. */
    private static <Q, A> List<BatchCall<Q, A>> first(List<BatchCall<Q, A>> calls, Function<Q, Object> once) {
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
