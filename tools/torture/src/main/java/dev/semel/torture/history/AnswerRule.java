package dev.semel.torture.history;

import dev.semel.torture.history.ClientEvent.Answered;
import dev.semel.torture.history.ClientEvent.Asked;
import dev.semel.torture.history.LedgerEvent.Charged;
import dev.semel.torture.history.LedgerEvent.OfRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answers to clients. I1: an answer is what the provider did. I3: it is the same for every client, and for ever. I7 and
 * I9: it is about the client's own request. I8: it is no 5xx while nothing is broken.
 */
final class AnswerRule implements Rule {

    private static final int MISMATCH = 422;

    private final Map<String, LedgerEvent.Request> requests;
    private final Outages outages;
    private final Duration grace;

    AnswerRule(Map<String, LedgerEvent.Request> requests, Outages outages, Duration grace) {
        this.requests = requests;
        this.outages = outages;
        this.grace = grace;
    }

    @Override
    public void check(KeyHistory key, Violations violations) {
        Attempts attempts = new Attempts(key.changes());
        Map<Integer, Answered> firstOfGeneration = new HashMap<>();
        for (Answered answer : key.answered().filter(Answered::isOutcome).toList()) {
            Optional<LedgerEvent.Request> request = checkOutcome(key, answer, violations);
            if (request.isEmpty()) {
                continue;
            }
            int generation = attempts.generation(request.get().fence()).orElse(0);
            Answered first = firstOfGeneration.putIfAbsent(generation, answer);
            if (first != null
                    && (first.status() != answer.status() || !first.body().equals(answer.body()))) {
                violations.add("I3", key, "clients got " + shown(first) + " and " + shown(answer));
            }
        }
        if (attempts.generations() <= 1) {
            checkAfterFinal(key, violations);
        }
        checkMismatches(key, violations);
        checkServerErrors(key, violations);
    }

    /** Returns the provider's request that the answer is about, unless the answer is wrong. */
    private Optional<LedgerEvent.Request> checkOutcome(KeyHistory key, Answered answer, Violations violations) {
        Optional<Receipt> receipt = Receipt.parse(answer.body());
        if (receipt.isEmpty() || receipt.get().status() != answer.status()) {
            violations.add("I3", key, "a client got " + shown(answer) + ", which is no whole receipt");
            return Optional.empty();
        }
        LedgerEvent.Request request = requests.get(receipt.get().arrival());
        if (request == null) {
            violations.add("I1", key, "a client got " + shown(answer) + ", which is not in the ledger");
            return Optional.empty();
        }
        if (!request.identity().equals(key.identity())) {
            violations.add("I9", key, "a client got " + shown(answer) + ", which belongs to " + request.identity());
            return Optional.empty();
        }
        if (!request.meaning().equals(answer.which().meaning())) {
            violations.add("I7", key, "a client asked for " + answer.which().meaning() + " and got " + shown(answer));
            return Optional.empty();
        }
        Class<? extends OfRequest> expected = receipt.get().charged() ? Charged.class : LedgerEvent.Declined.class;
        if (key.requests()
                .noneMatch(
                        event -> expected.isInstance(event) && event.request().equals(request))) {
            violations.add("I1", key, "a client got " + shown(answer) + ", but the ledger has no such line");
        }
        return Optional.of(request);
    }

    /**
     * A request that is sent after a client has seen the outcome gets that outcome, if it gets an answer at all; or it is
     * late, which {@link LateRule} judges.
     */
    private static void checkAfterFinal(KeyHistory key, Violations violations) {
        Optional<Answered> first = key.answered().filter(Answered::isOutcome).min(Comparator.comparing(Answered::at));
        if (first.isEmpty()) {
            return;
        }
        Map<ClientEvent.Try, Instant> askedAt = new HashMap<>();
        key.asked().forEach(asked -> askedAt.put(asked.which(), asked.at()));
        key.answered()
                .filter(answer -> !answer.isOutcome() && !answer.isLate() && answer.status() < 500)
                .filter(answer ->
                        answer.which().meaning().equals(first.get().which().meaning()))
                .filter(answer -> askedAt.getOrDefault(answer.which(), Instant.MIN)
                        .isAfter(first.get().at()))
                .findFirst()
                .ifPresent(answer -> violations.add(
                        "I3", key, "a client got " + shown(answer) + " after another had seen " + shown(first.get())));
    }

    private static void checkMismatches(KeyHistory key, Violations violations) {
        List<Answered> mismatches =
                key.answered().filter(answer -> answer.status() == MISMATCH).toList();
        if (mismatches.isEmpty()) {
            return;
        }
        if (key.asked().map(asked -> asked.which().meaning()).distinct().count() < 2) {
            violations.add(
                    "I9",
                    key,
                    "a client was refused as if the key had been used for something else, and in its"
                            + " scope it never was");
        }
        mismatches.stream()
                .filter(answer -> answer.body().contains("arrival"))
                .findFirst()
                .ifPresent(answer -> violations.add("I7", key, "a mismatch revealed " + answer.body()));
    }

    private void checkServerErrors(KeyHistory key, Violations violations) {
        Map<ClientEvent.Try, Asked> asked = new HashMap<>();
        key.asked().forEach(each -> asked.put(each.which(), each));
        key.answered().filter(answer -> answer.status() >= 500).forEach(answer -> {
            Asked question = asked.get(answer.which());
            Instant from = question == null ? answer.at() : question.at();
            if (!outages.explain(answer.which().target(), from, answer.at(), grace)) {
                violations.add("I8", key, "a client got " + shown(answer) + " while nothing was broken");
            }
        });
    }

    private static String shown(Answered answer) {
        return answer.status() + " " + answer.body();
    }
}
