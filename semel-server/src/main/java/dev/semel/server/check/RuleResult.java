package dev.semel.server.check;

import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.rules.RuleInfo;
import java.time.Duration;

/** What one rule found for one operation. */
public record RuleResult(RuleInfo rule, Outcome outcome, Duration elapsed) {

    public boolean isBroken() {
        return outcome instanceof Outcome.Broken;
    }
}
