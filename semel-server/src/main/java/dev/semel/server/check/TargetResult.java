package dev.semel.server.check;

import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.subject.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found for one operation.
 *
 * @param effects where effects were counted; null when they were not
 * @param countCommand by which a person counts them; null when they were not counted
 * @param obstacle why no rule could be tried; null when they were
 */
public record TargetResult(
        Target target,
        @Nullable String effects,
        @Nullable String countCommand,
        @Nullable String obstacle,
        List<RuleResult> results) {

    public TargetResult {
        results = List.copyOf(results);
    }

    public List<RuleResult> broken() {
        return results.stream().filter(RuleResult::isBroken).toList();
    }

    public List<RuleResult> of(Level level) {
        return results.stream().filter(result -> result.rule().level() == level).toList();
    }

    public long count(Class<? extends Outcome> outcome) {
        return results.stream()
                .filter(result -> outcome.isInstance(result.outcome()))
                .count();
    }
}
