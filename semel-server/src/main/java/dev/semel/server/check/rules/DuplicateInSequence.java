package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Reply;

/** A request that is repeated after its answer has one effect. */
final class DuplicateInSequence implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "duplicate-in-sequence",
                Level.MUST,
                "A retry after the answer has no second effect",
                Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return 3;
    }

    @Override
    public Outcome check(Probe probe) {
        Intent intent = probe.newIntent();
        Duplicates duplicates = Duplicates.begin(probe);
        Reproduction steps = Reproduction.of(intent);
        for (int i = 0; i < 3; i++) {
            Reply reply = probe.sendUntilFinal(intent.request());
            duplicates.add(reply);
            if (i < 2) {
                steps.send(intent.request(), reply.brief());
            }
        }
        return duplicates.judge(steps.count("more than one effect"));
    }
}
