package dev.semel.server.check.rules;

/** Clients can know until when a key is kept. */
final class RetentionStated implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "retention-stated", Level.INFO, "Clients can know until when a key is kept", Source.draft("2.3"));
    }

    @Override
    public int requests(int concurrency) {
        return Replay.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        if (probe.settings().retention() != null) {
            return Outcome.holds("--retention says so");
        }
        return Replay.check(
                probe,
                replay -> replay.first().headers().stream()
                        .filter(Retentions::isStatement)
                        .findFirst()
                        .map(header -> Outcome.holds("by " + header.line()))
                        .map(Outcome.class::cast)
                        .orElseGet(() -> new Outcome.CouldNotTell(
                                "no header states it, and documentation cannot be tested; --retention says"
                                        + " what it states")));
    }
}
