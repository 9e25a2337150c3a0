package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Reply;
import java.time.Duration;
import java.util.OptionalLong;

/** What a retry gets that comes after the retention: a refusal, the result, or an execution that the API documents. */
final class LateRetry implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "late-retry", Level.INFO, "A retry after the retention gets a definite answer", Source.stripe());
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        return Retentions.check(probe, retention -> {
            Intent intent = probe.newIntent();
            probe.send(intent.request());
            Duration pause = retention.plus(probe.settings().waits().settle());
            probe.client().time().pause(pause);
            OptionalLong before = probe.effects();
            Reply late = probe.sendUntilFinal(intent.request());
            if (!(late instanceof Answer answer) || answer.isServerError() || probe.asksToWait(answer)) {
                return new Outcome.Broken(
                        "a retry after the retention got " + late.brief(),
                        Reproduction.of(intent)
                                .send(intent.request(), "executed")
                                .await(RetryAfterHangUp.seconds(pause))
                                .send(intent.request(), late.brief()));
            }
            boolean executed = probe.executionsSince(before).orElse(0) > 0;
            return probe.holds(
                    executed
                            ? "it is executed as a new request: clients must not retry that late"
                            : "it is not executed, and gets " + late.brief());
        });
    }
}
