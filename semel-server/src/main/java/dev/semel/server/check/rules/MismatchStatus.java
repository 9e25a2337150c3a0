package dev.semel.server.check.rules;

import dev.semel.server.check.wire.Answer;
import java.util.Set;

/** The refusal of another body has a status that clients know. */
final class MismatchStatus implements Rule {

    /** 422 by the draft; Stripe answers 400, others 409. */
    private static final Set<Integer> KNOWN = Set.of(422, 409, 400);

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "mismatch-status",
                Level.SHOULD,
                "The refusal of another body is 422, or 409 or 400 as others do",
                Source.draft("2.7"));
    }

    @Override
    public int requests(int concurrency) {
        return 3;
    }

    @Override
    public Outcome check(Probe probe) {
        return Misuse.withOtherBody(probe).map(MismatchStatus::judge).orElse(Misuse.NO_OTHER_BODY);
    }

    private static Outcome judge(Misuse misuse) {
        if (!(misuse.reply() instanceof Answer answer) || answer.isServerError()) {
            return misuse.broken(
                    "another body with a used key got " + misuse.reply().brief() + " instead of 422",
                    "another body with the same key");
        }
        if (answer.isSuccess()) {
            return new Outcome.Skipped("another body is not refused at all: see other-body");
        }
        return KNOWN.contains(answer.status())
                ? Outcome.holds("refused with " + answer.status())
                : misuse.broken(
                        "another body with a used key got " + answer.status() + " instead of 422",
                        "another body with the same key");
    }
}
