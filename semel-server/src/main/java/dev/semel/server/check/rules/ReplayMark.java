package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Header;
import java.util.Locale;
import java.util.Optional;

/** Finds the header that marks an answer as a replay: one about replays or idempotency that the first answer had not. */
final class ReplayMark {

    private ReplayMark() {}

    static Optional<Header> of(Answer first, Answer answer) {
        return answer.headers().stream()
                .filter(ReplayMark::isMark)
                .filter(header -> !first.all(header.name()).contains(header.value()))
                .findFirst();
    }

    private static boolean isMark(Header header) {
        String name = header.name().toLowerCase(Locale.ROOT);
        String value = header.value().toLowerCase(Locale.ROOT);
        boolean named = name.contains("replay") || name.contains("idempoten") || name.contains("cache");
        return named
                && (value.startsWith("true")
                        || value.startsWith("hit")
                        || value.contains("replay")
                        || value.contains("duplicate"));
    }
}
