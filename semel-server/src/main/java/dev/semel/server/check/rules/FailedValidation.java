package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;

/** A request that fails validation does not leave its key locked: the same request gets its refusal again. */
final class FailedValidation implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "failed-validation",
                Level.SHOULD,
                "A failed validation does not leave the key locked",
                Source.stripe());
    }

    @Override
    public int requests(int concurrency) {
        return 3;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        String given = probe.target().bodies().invalid();
        String body = intent.request().bodyText();
        if (given == null && body.isEmpty()) {
            return new Outcome.Skipped("the request has no body; --invalid-body gives one that the API refuses");
        }
        String invalid = given == null ? body.substring(0, body.length() - 1) : given;
        WireRequest request = Probe.withBody(intent.request(), invalid);
        Reply first = probe.send(request);
        if (!(first instanceof Answer refusal) || !refusal.isClientError()) {
            return new Outcome.CouldNotTell("a cut-off body got " + first.brief()
                    + " instead of 4xx; --invalid-body gives one that the API refuses");
        }
        Reply retry = probe.sendUntilFinal(request);
        if (!(retry instanceof Answer again) || again.status() != refusal.status()) {
            return new Outcome.Broken(
                    "a request that fails validation got " + refusal.status() + " first, and then " + retry.brief(),
                    Reproduction.of(intent).send(request, first.brief()).send(request, "the retry: " + retry.brief()));
        }
        Reply corrected = probe.send(intent.request());
        return Outcome.holds(
                corrected instanceof Answer answer && answer.isSuccess()
                        ? "not recorded: the corrected request is executed with the same key"
                        : "recorded: the corrected request needs a new key (it got " + corrected.brief()
                                + "), which the API should document");
    }
}
