package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers by which an API refuses a use of keys: another body, two keys, a missing key. */
final class Refusals {

    static final int REQUESTS = 5;

    /**
     * One refusal.
     *
     * @param recorded the answer that the key stands for, if there is one
     */
    record Refusal(Intent intent, WireRequest request, Answer answer, Optional<Answer> recorded) {

        Outcome.Broken broken(String detail) {
            Reproduction steps = Reproduction.of(intent);
            recorded.ifPresent(first -> steps.send(intent.request(), first.brief()));
            return new Outcome.Broken(detail, steps.send(request, answer.brief()));
        }
    }

    private Refusals() {}

    static List<Refusal> of(Probe probe) {
        List<Refusal> refusals = new ArrayList<>();
        Misuse.withOtherBody(probe).ifPresent(misuse -> {
            if (misuse.reply() instanceof Answer answer && answer.isClientError()) {
                refusals.add(new Refusal(misuse.intent(), misuse.other(), answer, Optional.of(misuse.recorded())));
            }
        });
        Intent twice = probe.newIntent();
        String key = probe.baseline().keys().value(twice.key());
        add(refusals, probe, twice, probe.withKeyLines(twice, key, key + "2"));
        Intent missing = probe.newIntent();
        add(refusals, probe, missing, probe.withKeyLines(missing));
        return refusals;
    }

    private static void add(List<Refusal> refusals, Probe probe, Intent intent, WireRequest request) {
        if (probe.send(request) instanceof Answer answer && answer.isClientError()) {
            refusals.add(new Refusal(intent, request, answer, Optional.empty()));
        }
    }
}
