package dev.semel.server.check.rules;

/** A retry gets the bytes of the first answer. */
final class ReplayBody implements Rule {

    private static final int SHOWN = 60;

    @Override
    public RuleInfo info() {
        return new RuleInfo("replay-body", Level.SHOULD, "A retry gets the same bytes", Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return Replay.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        return Replay.check(probe, replay -> {
            if (replay.first().hasBodyOf(replay.retry())) {
                return Outcome.holds(replay.first().body().length + " equal bytes");
            }
            String same =
                    Probe.sameMeaning(replay.first(), replay.retry()) ? " (the same JSON, written otherwise)" : "";
            return replay.broken("the first answer has " + replay.first().body().length + " bytes, "
                    + shown(replay.first().text()) + ", that of the retry "
                    + replay.retry().body().length + ", " + shown(replay.retry().text()) + same);
        });
    }

    private static String shown(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }
}
