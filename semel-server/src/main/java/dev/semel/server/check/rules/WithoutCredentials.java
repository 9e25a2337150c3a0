package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Header;
import dev.semel.server.check.wire.WireRequest;

/** A caller without credentials gets nothing of the recorded answer: the caller is known before the key is looked up. */
final class WithoutCredentials implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "without-credentials",
                Level.MUST,
                "A used key without credentials gets nothing of the recorded answer",
                Source.draft("5"));
    }

    @Override
    public int requests(int concurrency) {
        return 3;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        WireRequest anonymous = withoutCredentials(intent.request());
        if (anonymous.headers().size() == intent.request().headers().size()) {
            return new Outcome.Skipped("the request has no credentials");
        }
        if (probe.send(withoutCredentials(probe.newIntent().request())) instanceof Answer answer
                && answer.isSuccess()) {
            return new Outcome.Skipped("the API needs no credentials");
        }
        return Misuse.of(probe, intent, anonymous)
                .map(misuse -> misuse.leak(probe)
                        .map(shown -> misuse.broken(
                                "a caller without credentials was answered "
                                        + misuse.reply().brief() + " with " + shown,
                                "without credentials"))
                        .map(Outcome.class::cast)
                        .orElseGet(
                                () -> probe.holds("answered " + misuse.reply().brief())))
                .orElseGet(() -> new Outcome.CouldNotTell("the first request did not succeed"));
    }

    private static WireRequest withoutCredentials(WireRequest request) {
        WireRequest anonymous = request;
        for (Header header : request.headers()) {
            anonymous = header.isSecret() ? anonymous.without(header.name()) : anonymous;
        }
        return anonymous;
    }
}
