package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireRequest;
import java.util.Arrays;
import java.util.Locale;

/** Browsers may send the key, where they may send requests at all. */
final class CorsAllowsHeader implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo("cors", Level.INFO, "CORS allows the key's header, where it is on", Source.fetch());
    }

    @Override
    public int requests(int concurrency) {
        return 1;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        String header = probe.settings().header();
        WireRequest preflight = Probe.withBody(intent.request().withMethod("OPTIONS"), "")
                .without(header)
                .without("Content-Type")
                .without("Authorization")
                .without("Cookie")
                .with("Access-Control-Request-Method", probe.target().method())
                .with("Access-Control-Request-Headers", header.toLowerCase(Locale.ROOT));
        if (preflight.headers().stream().noneMatch(each -> each.isNamed("Origin"))) {
            preflight = preflight.with("Origin", "http://localhost:3000");
        }
        Reply reply = probe.send(preflight);
        if (!(reply instanceof Answer answer)
                || answer.first("Access-Control-Allow-Origin").isEmpty()) {
            return new Outcome.Skipped("CORS is not on for this origin; -H 'Origin: …' names another");
        }
        String allowed = String.join(",", answer.all("Access-Control-Allow-Headers"));
        boolean allows = Arrays.stream(allowed.split(","))
                .map(String::strip)
                .anyMatch(name -> name.equals("*") || name.equalsIgnoreCase(header));
        return allows
                ? Outcome.holds("Access-Control-Allow-Headers: " + allowed)
                : new Outcome.Broken(
                        "a preflight for " + header + " got Access-Control-Allow-Headers: "
                                + (allowed.isEmpty() ? "none" : allowed),
                        Reproduction.of(intent).send(preflight, answer.brief()));
    }
}
