package dev.semel.server.check;

import dev.semel.server.check.oracle.EffectOracle;
import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.subject.Target;
import dev.semel.server.check.wire.Budget;
import dev.semel.server.check.wire.CheckTime;
import dev.semel.server.check.wire.Header;
import dev.semel.server.check.wire.WireClient;
import dev.semel.server.check.wire.WireOptions;
import dev.semel.server.check.zoo.ZooServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A check of a server of the zoo, with short pauses. */
final class ZooRun {

    static final CheckSettings QUICK = new CheckSettings(
            CheckSettings.DEFAULT_HEADER,
            null,
            List.of(new Header("Authorization", "Bearer second-account-secret")),
            8,
            false,
            null,
            new CheckSettings.Waits(Duration.ofMillis(5), Duration.ofMillis(5), Duration.ofSeconds(20)),
            42);

    private ZooRun() {}

    static Target target(ZooServer server, @Nullable String failing) {
        return new Target(
                "POST /payments",
                "POST",
                server.url("/payments"),
                List.of(
                        new Header("Authorization", "Bearer first-account-secret"),
                        new Header("Content-Type", "application/json")),
                "{\"order\":\"{{uuid}}\",\"amount\":100}",
                new Target.Bodies(null, null, failing),
                null);
    }

    static TargetResult of(ZooServer server, CheckSettings settings, @Nullable String failing, boolean counted) {
        CheckTime time = new CheckTime();
        Budget budget = new Budget(5000, Duration.ZERO, time);
        try (WireClient client = new WireClient(budget, time, WireOptions.here(Duration.ofSeconds(60)))) {
            return new Checker(settings, Rules.all(), client)
                    .check(target(server, failing), counted ? oracle(server) : null);
        }
    }

    private static EffectOracle oracle(ZooServer server) {
        return new EffectOracle() {
            @Override
            public long count() {
                return server.effects();
            }

            @Override
            public String description() {
                return "payments";
            }

            @Override
            public String command() {
                return "curl -s " + server.url("/effects");
            }
        };
    }

    static Set<String> broken(TargetResult result) {
        return result.broken().stream().map(each -> each.rule().id()).collect(Collectors.toSet());
    }
}
