package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.time.DateTimeException;
import java.time.format.DateTimeFormatter;

/** An answer that sends a client away says when to come back. */
final class InFlightRetryAfter implements Rule {

    private static final long LONGEST_SECONDS = 3600;

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "in-flight-retry-after",
                Level.INFO,
                "An answer that sends a duplicate away has a usable Retry-After",
                Source.rfc(9110, "10.2.3"));
    }

    @Override
    public int requests(int concurrency) {
        return InFlight.requests(concurrency);
    }

    @Override
    public Outcome check(Probe probe) {
        InFlight seen = InFlight.of(probe);
        String found = "";
        for (Reply reply : seen.others()) {
            if (reply instanceof Answer answer && probe.asksToWait(answer)) {
                String value = answer.first("Retry-After").orElse("");
                if (!isUsable(value)) {
                    return seen.broken(answer.status()
                            + (value.isEmpty() ? " without Retry-After" : " with an unusable Retry-After: " + value));
                }
                found = value;
            }
        }
        return found.isEmpty()
                ? new Outcome.Skipped("no duplicate was sent away")
                : Outcome.holds("Retry-After: " + found);
    }

    private static boolean isUsable(String value) {
        if (value.matches("[0-9]{1,9}")) {
            return Long.parseLong(value) <= LONGEST_SECONDS;
        }
        try {
            DateTimeFormatter.RFC_1123_DATE_TIME.parse(value);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
