package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import java.net.URI;

/** A used key with another query does not get the recorded answer. */
final class OtherQuery implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "other-query",
                Level.INFO,
                "A used key with another query does not get the recorded answer",
                Source.draft("2"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        String uri = intent.request().uri().toString();
        URI other = URI.create(uri + (uri.contains("?") ? "&" : "?") + "semel-check=other");
        return ElsewhereUsed.check(probe, intent, intent.request().withUri(other), "query");
    }
}
