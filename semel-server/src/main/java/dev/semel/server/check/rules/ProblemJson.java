package dev.semel.server.check.rules;

import dev.semel.server.check.json.Json;
import dev.semel.server.check.wire.Answer;
import java.util.Map;
import java.util.Optional;

/** A refusal that says it is problem+json is one. */
final class ProblemJson implements Rule {

    private static final String MEDIA_TYPE = "application/problem+json";

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "problem-json", Level.SHOULD, "Refusals in problem+json are well formed", Source.rfc(9457, "3"));
    }

    @Override
    public int requests(int concurrency) {
        return Refusals.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        int seen = 0;
        for (Refusals.Refusal refusal : Refusals.of(probe)) {
            if (refusal.answer().mediaType().equals(MEDIA_TYPE)) {
                seen++;
                Optional<String> mistake = mistake(refusal.answer());
                if (mistake.isPresent()) {
                    return refusal.broken("the problem of a " + refusal.answer().brief() + " " + mistake.get());
                }
            }
        }
        return seen == 0
                ? new Outcome.Skipped("no refusal is problem+json: the API has an error format of its own")
                : Outcome.holds(seen + " refusals are problems with type, title and status");
    }

    private static Optional<String> mistake(Answer answer) {
        if (!(Json.parse(answer.text()).orElse(null) instanceof Map<?, ?> problem)) {
            return Optional.of("is no JSON object");
        }
        if (problem.get("status") instanceof Number status && status.intValue() != answer.status()) {
            return Optional.of("says status " + status);
        }
        if (problem.containsKey("status") && !(problem.get("status") instanceof Number)) {
            return Optional.of("has a status that is no number");
        }
        if (!(problem.get("title") instanceof String) && !(problem.get("type") instanceof String)) {
            return Optional.of("has neither a type nor a title");
        }
        return Optional.empty();
    }
}
