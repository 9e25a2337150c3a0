package dev.semel.server.check.rules;

import dev.semel.server.check.subject.Intent;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Requests that arrive at the same instant have one effect: nothing may happen between check and claim. */
final class DuplicatesAtOnce implements Rule {

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "duplicates-at-once",
                Level.MUST,
                "Duplicates at the same instant have one effect",
                Source.draft("2.6"));
    }

    @Override
    public int requests(int concurrency) {
        return 2 * concurrency + 5;
    }

    @Override
    public Outcome check(Probe probe) {
        int most = probe.settings().concurrency();
        Outcome last = new Outcome.CouldNotTell("nothing was sent");
        for (int times : List.of(2, most, most)) {
            Intent intent = probe.newIntent();
            Duplicates duplicates = Duplicates.begin(probe);
            duplicates.addAll(probe.client().sendTogether(Collections.nCopies(times, intent.request()), Duration.ZERO));
            duplicates.add(probe.sendUntilFinal(intent.request()));
            last = duplicates.judge(Reproduction.of(intent)
                    .sendTogether(intent.request(), times, "at the same time")
                    .count("more than one effect"));
            if (!(last instanceof Outcome.Holds)) {
                return last;
            }
        }
        return last;
    }
}
