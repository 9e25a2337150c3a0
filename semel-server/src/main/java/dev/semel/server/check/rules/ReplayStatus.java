package dev.semel.server.check.rules;

/** A retry gets the status of the first answer. */
final class ReplayStatus implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo("replay-status", Level.SHOULD, "A retry gets the same status", Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return Replay.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        return Replay.check(probe, replay -> {
            int first = replay.first().status();
            int retry = replay.retry().status();
            return first == retry
                    ? Outcome.holds("both answers are " + first)
                    : replay.broken("the first answer is " + first + ", that of the retry " + retry);
        });
    }
}
