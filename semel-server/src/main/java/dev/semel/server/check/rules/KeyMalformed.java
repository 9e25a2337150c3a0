package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.List;
import java.util.OptionalLong;

/** A malformed key is refused, or taken as it is; it is never ignored in silence. */
final class KeyMalformed implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "key-malformed",
                Level.SHOULD,
                "A malformed key is refused, or works; it is not ignored",
                Source.draft("5"));
    }

    @Override
    public int requests(int concurrency) {
        return 4;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent sample = probe.newIntent();
        String statuses = "";
        for (String value : List.of('"' + sample.key(), sample.key() + "\u00e9\u00df")) {
            Intent intent = probe.newIntent();
            WireRequest request = probe.withKeyLines(intent, value);
            OptionalLong before = probe.effects();
            Reply reply = probe.send(request);
            Reproduction steps = Reproduction.of(sample, intent).send(request, reply.brief());
            if (!(reply instanceof Answer answer) || answer.isServerError()) {
                return new Outcome.Broken(
                        "the malformed key " + value + " got " + reply.brief() + " instead of 400", steps);
            }
            if (answer.isSuccess()) {
                Reply retry = probe.sendUntilFinal(request);
                if (probe.executionsSince(before).orElse(1) > 1) {
                    return new Outcome.Broken(
                            "the malformed key " + value + " is accepted, and protects nothing: two executions",
                            steps.send(request, "the retry: " + retry.brief()));
                }
            }
            statuses += (statuses.isEmpty() ? "" : " and ") + answer.status();
        }
        return probe.holds("an unclosed quote and letters beyond ASCII got " + statuses);
    }
}
