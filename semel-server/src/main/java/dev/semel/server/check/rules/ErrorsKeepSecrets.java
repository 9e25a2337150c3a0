package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Header;
import java.util.Optional;

/** Refusals show neither credentials nor recorded answers. */
final class ErrorsKeepSecrets implements Rule {

    private static final int SHORTEST_SECRET = 6;

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "errors-keep-secrets",
                Level.MUST,
                "Refusals show no credentials and no recorded answer",
                Source.rfc(9457, "5"));
    }

    @Override
    public int requests(int concurrency) {
        return Refusals.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        int seen = 0;
        for (Refusals.Refusal refusal : Refusals.of(probe)) {
            seen++;
            Optional<String> shown = shown(refusal, probe.baseline().answer());
            if (shown.isPresent()) {
                return refusal.broken("a refusal with " + refusal.answer().brief() + " shows " + shown.get());
            }
        }
        return seen == 0 ? new Outcome.Skipped("the API refused nothing") : Outcome.holds(seen + " refusals show none");
    }

    private static Optional<String> shown(Refusals.Refusal refusal, Answer usual) {
        String text = refusal.answer().text();
        for (Header header : refusal.request().headers()) {
            String secret = header.value().replaceFirst("^\\w+ ", "");
            if (header.isSecret() && secret.length() >= SHORTEST_SECRET && text.contains(secret)) {
                return Optional.of("the value of " + header.name());
            }
        }
        return refusal.recorded()
                .flatMap(recorded -> Leak.of(recorded, refusal.answer(), refusal.request(), usual))
                .map(leak -> "a part of the recorded answer: " + leak);
    }
}
