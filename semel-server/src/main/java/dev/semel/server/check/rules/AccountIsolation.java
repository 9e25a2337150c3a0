package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Answer;

/** Another account with the same key gets nothing of the recorded answer. */
final class AccountIsolation implements Rule {

    static final Outcome NO_ACCOUNT = new Outcome.Skipped("needs a second account: --as 'Authorization: …'");

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "account-isolation",
                Level.MUST,
                "Another account with the same key gets nothing of the recorded answer",
                Source.draft("5"));
    }

    @Override
    public int requests(int concurrency) {
        return 3;
    }

    @Override
    public Outcome check(Probe probe) {
        if (probe.account().isEmpty()) {
            return NO_ACCOUNT;
        }
        if (!(probe.send(probe.asOther(probe.newIntent()).request()) instanceof Answer own) || !own.isSuccess()) {
            return new Outcome.CouldNotTell("the second account's own request was not accepted");
        }
        Intent intent = probe.newIntent();
        return Misuse.of(probe, intent, probe.asOther(intent).request())
                .map(misuse -> misuse.leak(probe)
                        .map(shown -> misuse.broken(
                                "another account with the same key was answered "
                                        + misuse.reply().brief() + " with " + shown + " of the first account",
                                "the second account"))
                        .map(Outcome.class::cast)
                        .orElseGet(() -> probe.holds("the second account was answered "
                                + misuse.reply().brief())))
                .orElseGet(() -> new Outcome.CouldNotTell("the first request did not succeed"));
    }
}
