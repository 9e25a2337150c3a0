package dev.semel.benchmarks.load;

import dev.semel.benchmarks.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What contenders did in rounds that they shared. Only comparisons within a round mean something: the machine of the next
 * round is another.
 *
 * @param baseline the contender that the others are compared with
 * @param slices of each contender, one for each round, in the order in which contenders are listed
 */
public record Contest(String title, String baseline, Map<String, List<Slice>> slices) {

    public List<String> names() {
        return List.copyOf(slices.keySet());
    }

    public boolean has(String name) {
        return slices.containsKey(name);
    }

    /** Of one contender. */
    public List<Slice> of(String name) {
        List<Slice> found = slices.get(name);
        if (found == null) {
            throw new IllegalArgumentException(title + ": there is no contender " + name);
        }
        return found;
    }

    public Spread perSecond(String name) {
        return Spread.of(of(name).stream().map(Slice::perSecond).toList());
    }

    /** How many times as many calls per second, round by round. */
    public Spread ratio(String name, String against) {
        return ratio(name, against, Slice::perSecond);
    }

    /** How many times as long a call takes at this percentile, round by round. */
    public Spread latencyRatio(String name, String against, double percentile) {
        return ratio(name, against, slice -> slice.percentileMicros(percentile));
    }

    private Spread ratio(String name, String against, ToDoubleFunction<Slice> figure) {
        List<Slice> mine = of(name);
        List<Slice> theirs = of(against);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < mine.size(); round++) {
            ratios.add(figure.applyAsDouble(mine.get(round)) / figure.applyAsDouble(theirs.get(round)));
        }
        return Spread.of(ratios);
    }

    /** Of the calls of all rounds together, in microseconds. */
    public double percentileMicros(String name, double percentile) {
        Histogram all = Slice.newHistogram();
        of(name).forEach(slice -> all.add(slice.latency()));
        return all.getValueAtPercentile(percentile) / 1e3;
    }
}
