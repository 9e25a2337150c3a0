package dev.semel.server.check.rules;

/** Refusals do not repeat the key in their bodies, which end up in logs and tickets. */
final class ErrorsWithoutKey implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "errors-without-key", Level.INFO, "Bodies of refusals do not repeat the key", Source.rfc(9457, "5"));
    }

    @Override
    public int requests(int concurrency) {
        return Refusals.REQUESTS;
    }

    @Override
    public Outcome check(Probe probe) {
        int seen = 0;
        for (Refusals.Refusal refusal : Refusals.of(probe)) {
            seen++;
            if (refusal.answer().text().contains(refusal.intent().key())) {
                return refusal.broken("the body of a " + refusal.answer().brief() + " repeats the key");
            }
        }
        return seen == 0
                ? new Outcome.Skipped("the API refused nothing")
                : Outcome.holds(seen + " refusals do not repeat it");
    }
}
