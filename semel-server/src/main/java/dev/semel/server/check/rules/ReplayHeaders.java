package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Header;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A retry gets the headers of the first answer: those that describe the result with the same values, no other one lost. */
final class ReplayHeaders implements Rule {

    private static final Set<String> DESCRIBE_THE_RESULT = Set.of(
            "content-type",
            "content-language",
            "content-encoding",
            "content-location",
            "location",
            "etag",
            "last-modified",
            "link");

    /** Headers of one message, connection, session or hop. */
    private static final Pattern OF_THE_MOMENT = Pattern.compile("date|age|expires|server|via|connection|keep-alive"
            + "|transfer-encoding|content-length|trailer|set-cookie|vary|alt-svc|nel|report-to|server-timing|traceparent"
            + "|x-request-id|x-correlation-id|x-amzn-.*|x-runtime|x-response-time|cf-.*|.*rate-?limit.*|retry-after"
            + "|.*trace.*|.*idempoten.*|.*replay.*|x-cache.*|strict-transport-security|access-control-.*");

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "replay-headers", Level.SHOULD, "A retry gets the headers of the result", Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return Replay.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        return Replay.check(
                probe,
                replay -> difference(replay.first(), replay.retry())
                        .map(replay::broken)
                        .orElseGet(() -> Outcome.holds("no header of the result is lost or changed")));
    }

    private static Optional<String> difference(Answer first, Answer retry) {
        for (Header header : first.headers()) {
            String name = header.name().toLowerCase(Locale.ROOT);
            List<String> before = first.all(name);
            List<String> after = retry.all(name);
            boolean describes = DESCRIBE_THE_RESULT.contains(name);
            if (after.isEmpty() && (describes || !OF_THE_MOMENT.matcher(name).matches())) {
                return Optional.of("the retry lacks " + header.line());
            }
            if (describes && !before.equals(after)) {
                return Optional.of(header.name() + " is " + String.join(", ", before) + " first, and "
                        + String.join(", ", after) + " on the retry");
            }
        }
        return Optional.empty();
    }
}
