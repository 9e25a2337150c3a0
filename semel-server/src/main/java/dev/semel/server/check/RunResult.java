package dev.semel.server.check;

import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import java.time.Duration;
import java.util.List;

/**
 * What a run found.
 *
 * @param strict whether a broken SHOULD counts like a broken MUST
 */
public record RunResult(
        List<TargetResult> targets, CheckSettings settings, boolean strict, int requests, Duration elapsed) {

    /** All that must hold does. */
    public static final int OK = 0;

    /** A rule that must hold is broken. */
    public static final int BROKEN = 1;

    /** Of a rule that must hold, it could not be told. */
    public static final int COULD_NOT_TELL = 3;

    public RunResult {
        targets = List.copyOf(targets);
    }

    public int exitCode() {
        boolean broken =
                targets.stream().flatMap(target -> target.broken().stream()).anyMatch(this::counts);
        if (broken) {
            return BROKEN;
        }
        return targets.stream().allMatch(RunResult::isTold) ? OK : COULD_NOT_TELL;
    }

    /** Whether a broken rule makes the run fail. */
    public boolean counts(RuleResult result) {
        return result.rule().level() == Level.MUST || (strict && result.rule().level() == Level.SHOULD);
    }

    /** A run that tried nothing tells nothing. */
    private static boolean isTold(TargetResult target) {
        return target.obstacle() == null
                && target.count(Outcome.Skipped.class) < target.results().size()
                && target.of(Level.MUST).stream().noneMatch(result -> result.outcome() instanceof Outcome.CouldNotTell);
    }
}
