package dev.semel.server.gateway.settle;

import dev.semel.http.Body;
import dev.semel.reconcile.Verdict;
import dev.semel.server.gateway.config.ResolverConfig;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * The answer to one look-up, and what the rules make of it.
 *
 * <p>It counts only if it is whole and not encoded; {@link RuledContent} says the rest.
 */
final class LookupAnswer {

    private final ResolverConfig config;
    private final int status;
    private final boolean whole;
    private final Body body;
    private final HttpHeaders headers;

    LookupAnswer(ResolverConfig config, HttpResponse<LimitedBody.Read> answer) {
        this.config = config;
        this.status = answer.statusCode();
        this.whole = answer.body().whole();
        this.body = answer.body().body();
        this.headers = answer.headers();
    }

    Verdict verdict() {
        if (!whole) {
            return nothing("its answer is longer than " + config.maxBytes() + " bytes");
        }
        Optional<String> coding = headers.firstValue("Content-Encoding").filter(used -> !used.equals("identity"));
        if (coding.isPresent()) {
            return nothing("its answer has a Content-Encoding, which was not asked for");
        }
        return new RuledContent(
                        config.rules(),
                        status,
                        body,
                        headers.firstValue("Content-Type").orElse(null))
                .verdict(seen());
    }

    private Verdict nothing(String why) {
        return new Verdict.CannotTellYet(seen() + ": " + why);
    }

    private String seen() {
        return config + " gave " + status;
    }
}
