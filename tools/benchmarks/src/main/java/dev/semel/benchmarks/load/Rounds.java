package dev.semel.benchmarks.load;

import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.suite.Progress;
import dev.semel.benchmarks.suite.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lets contenders take turns: in each round every one gets a slice, and each round begins with another one. */
public final class Rounds {

    /** Slices: what a contender runs was never compiled. */
    private static final int FIRST_WARM_UP = 3;

    private final Set<String> seen = new HashSet<>();
    private final Settings settings;
    private final Progress progress;

    public Rounds(Settings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Warms every contender up with a slice that does not count, or more if it was not seen before, and then goes through
     * the rounds.
     */
    public Contest run(String title, String baseline, List<Contender> contenders) throws Exception {
        Map<String, List<Slice>> slices = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            slices.put(contender.name(), new ArrayList<>());
            for (int slice = seen.add(contender.name()) ? FIRST_WARM_UP : 1; slice > 0; slice--) {
                progress.status(title + ": warming up " + contender.name());
                measure(contender, title);
            }
        }
        for (int round = 0; round < settings.rounds(); round++) {
            String turn = title + ": round " + (round + 1) + " of " + settings.rounds();
            for (int place = 0; place < contenders.size(); place++) {
                Contender contender = contenders.get((place + round) % contenders.size());
                progress.status(turn + ": " + contender.name());
                slices.computeIfAbsent(contender.name(), name -> new ArrayList<>())
                        .add(measure(contender, title));
            }
            progress.line(turn + ": " + summary(slices));
        }
        return new Contest(title, baseline, slices);
    }

    private Slice measure(Contender contender, String title) throws Exception {
        Duration length = settings.slice();
        try {
            Slice slice = contender.load().run(length);
            if (slice.calls() == 0) {
                throw new IllegalStateException("no call was answered; more --seconds are needed");
            }
            return slice;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(title + ": " + contender.name() + " failed: " + e.getMessage(), e);
        }
    }

    private static String summary(Map<String, List<Slice>> slices) {
        List<String> each = new ArrayList<>();
        slices.forEach((name, done) ->
                each.add(name + " " + Figures.count(done.get(done.size() - 1).perSecond()) + "/s"));
        return String.join(", ", each);
    }
}
