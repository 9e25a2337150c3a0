package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;

/** Another account can use the same key for itself: a refusal would tell that the key exists, and let accounts block each other. */
final class AccountIndependence implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "account-independence",
                Level.SHOULD,
                "Another account can use the same key for itself",
                Source.draft("5"));
    }

    @Override
    public int requests(int concurrency) {
        return 2;
    }

    @Override
    public Outcome check(Probe probe) {
        if (probe.account().isEmpty()) {
            return AccountIsolation.NO_ACCOUNT;
        }
        Intent intent = probe.newIntent();
        return Misuse.of(probe, intent, probe.asOther(intent).request())
                .map(misuse -> judge(probe, misuse))
                .orElseGet(() -> new Outcome.CouldNotTell("the first request did not succeed"));
    }

    private static Outcome judge(Probe probe, Misuse misuse) {
        if (misuse.reply() instanceof Answer answer && answer.isSuccess()) {
            boolean own = misuse.executions().isPresent()
                    ? misuse.isExecuted()
                    : misuse.leak(probe).isEmpty();
            return own
                    ? probe.holds("executed for the second account, too")
                    : misuse.broken(
                            "the second account's request was answered, and not executed", "the second account");
        }
        return misuse.broken(
                "the second account got " + misuse.reply().brief() + " for a key that it had not used",
                "the second account");
    }
}
