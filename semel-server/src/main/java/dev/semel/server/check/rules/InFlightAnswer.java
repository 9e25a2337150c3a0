package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;

/** A duplicate of a running request gets 409, or waits for the result, or the answer when to ask again. */
final class InFlightAnswer implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "in-flight-answer",
                Level.SHOULD,
                "A duplicate of a running request gets 409 or 202, or waits for the result",
                Source.draft("2.7"));
    }

    @Override
    public int requests(int concurrency) {
        return InFlight.requests(concurrency);
    }

    @Override
    public Outcome check(Probe probe) {
        InFlight seen = InFlight.of(probe);
        if (!seen.executed()) {
            return new Outcome.CouldNotTell("the first request did not succeed");
        }
        if (!seen.mistaken().isEmpty()) {
            return seen.broken("a duplicate of a running request got "
                    + seen.mistaken().get(0).brief() + " with an empty body, which its client takes for the result");
        }
        for (Reply reply : seen.others()) {
            boolean understood = reply instanceof Answer answer
                    && probe.asksToWait(answer)
                    && (answer.status() != 503 || answer.first("Retry-After").isPresent());
            if (!understood) {
                return seen.broken("a duplicate of a running request got " + reply.brief()
                        + "; its client cannot tell that the first request is in progress");
            }
        }
        return Outcome.holds(
                seen.others().isEmpty()
                        ? "duplicates get the result of the first request"
                        : "duplicates of a running request get "
                                + seen.others().get(0).brief());
    }
}
