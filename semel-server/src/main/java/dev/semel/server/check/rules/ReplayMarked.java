package dev.semel.server.check.rules;

/** A client can distinguish a replay from an execution. */
final class ReplayMarked implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo("replay-marked", Level.INFO, "A replay is marked as one", Source.stripeErrors());
    }

    @Override
    public int requests(int concurrency) {
        return Replay.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        return Replay.check(
                probe,
                replay -> ReplayMark.of(replay.first(), replay.retry())
                        .map(mark -> Outcome.holds("by " + mark.line()))
                        .map(Outcome.class::cast)
                        .orElseGet(
                                () -> replay.broken("no header says that the answer to the retry is a replay, such as"
                                        + " Idempotency-Replayed: true or Stripe's Idempotent-Replayed: true")));
    }
}
