package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import java.net.URI;

/** A used key with another path does not get the recorded answer, not even where there is nothing at that path. */
final class OtherPath implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "other-path",
                Level.SHOULD,
                "A used key with another path does not get the recorded answer",
                Source.draft("2"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        URI uri = intent.request().uri();
        String path = uri.getRawPath().replaceFirst("/+$", "") + "/semel-check-other-path";
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        URI other = URI.create(uri.getScheme() + "://" + uri.getRawAuthority() + path + query);
        return ElsewhereUsed.check(probe, intent, intent.request().withUri(other), "path");
    }
}
