package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;

/** A used key with another method does not get the recorded answer. */
final class OtherMethod implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "other-method",
                Level.SHOULD,
                "A used key with another method does not get the recorded answer",
                Source.draft("2"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        String method = probe.target().method().equals("PUT") ? "POST" : "PUT";
        return ElsewhereUsed.check(probe, intent, intent.request().withMethod(method), "method " + method);
    }
}
