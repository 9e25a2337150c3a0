package dev.semel.server.check.rules;

import java.util.regex.Pattern;

/** Refusals do not show the inside of the server. */
final class ErrorsWithoutTrace implements Rule {

    /** More would give a hostile server much work to do for the pattern. */
    private static final int MOST_CHARS = 64 * 1024;

    private static final Pattern STACK_TRACE = Pattern.compile("\\bat [\\w.$]+\\([\\w]+\\.java:\\d+\\)"
            + "|Traceback \\(most recent call last\\)|\\bat .{1,80}\\(?/.{1,200}\\.[cm]?[jt]s:\\d+:\\d+\\)?");

    @Override
    public RuleInfo info() {
        return new RuleInfo(
                "errors-without-trace", Level.SHOULD, "Refusals show no stack trace", Source.rfc(9457, "5"));
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
            if (STACK_TRACE.matcher(beginning(refusal.answer().text())).find()) {
                return refusal.broken("a refusal with " + refusal.answer().brief() + " shows a stack trace");
            }
        }
        return seen == 0 ? new Outcome.Skipped("the API refused nothing") : Outcome.holds(seen + " refusals show none");
    }

    private static String beginning(String text) {
        return text.substring(0, Math.min(MOST_CHARS, text.length()));
    }
}
