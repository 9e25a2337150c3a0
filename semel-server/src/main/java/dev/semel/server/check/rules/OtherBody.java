package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;

/** A used key with another body is refused: neither executed, nor answered with the recorded result. */
final class OtherBody implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo("other-body", Level.MUST, "A used key with another body is refused", Source.draft("2.7"));
    }

    @Override
    public int requests(int concurrency) {
        return 3;
    }

    @Override
    public Outcome check(Probe probe) {
        return Misuse.withOtherBody(probe).map(misuse -> judge(probe, misuse)).orElse(Misuse.NO_OTHER_BODY);
    }

    private static Outcome judge(Probe probe, Misuse misuse) {
        String comment = "another body with the same key";
        if (misuse.isExecuted()) {
            return misuse.broken(
                    "another body with a used key was executed, and answered "
                            + misuse.reply().brief(),
                    comment);
        }
        if (misuse.reply() instanceof Answer answer && answer.isSuccess()) {
            return misuse.broken(
                    "another body with a used key was answered " + answer.status()
                            + ", as if it had been executed: its sender takes another result for its own",
                    comment);
        }
        return misuse.leak(probe)
                .map(shown -> misuse.broken("the refusal shows " + shown, comment))
                .map(Outcome.class::cast)
                .orElseGet(() -> probe.holds("refused with " + misuse.reply().brief()));
    }
}
