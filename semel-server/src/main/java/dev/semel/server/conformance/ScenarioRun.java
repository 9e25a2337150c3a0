package dev.semel.server.conformance;

import dev.semel.server.conformance.Scenario.Expected;
import dev.semel.server.conformance.Scenario.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a client did in a scenario. */
final class ScenarioRun {

    /** Clocks of client and server measure differently by a little; a date has whole seconds. */
    private static final Duration TOLERANCE = Duration.ofMillis(50);

    private static final Pattern VALID_KEY = Pattern.compile("[!-~]{1,255}");
    private static final Pattern UUID_V7 =
            Pattern.compile("\"?[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\"?");

    /**
     * A request of the client.
     *
     * @param keys the lines of the key's header
     * @param at since the start of the server
     */
    record Received(String method, String path, List<String> keys, String body, Duration at) {}

    private final Scenario scenario;
    private final List<Received> requests = new ArrayList<>();
    private int executions;
    private int afterReport;
    private @Nullable Map<String, Object> report;

    ScenarioRun(Scenario scenario) {
        this.scenario = scenario;
    }

    Scenario scenario() {
        return scenario;
    }

    /** Notes a request and returns what to do with it. */
    synchronized Step received(Received request) {
        if (report != null) {
            afterReport++;
        }
        Step step = scenario.step(requests.size());
        requests.add(request);
        if (step.executes()) {
            executions++;
        }
        return step;
    }

    synchronized void reported(Map<String, Object> newReport) {
        report = newReport;
    }

    synchronized Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        requests.forEach(request -> keys.addAll(request.keys()));
        return keys;
    }

    /** @param others the keys of all other scenarios */
    synchronized Verdict judge(Set<String> others) {
        Map<String, Object> said = report;
        if (said == null) {
            return new Verdict(scenario, false, requests.size(), executions, List.of("no report"));
        }
        List<String> violations = new ArrayList<>();
        judgeKeys(others, violations);
        judgeRequests(violations);
        judgeWaits(violations);
        judgeReport(said, violations);
        return new Verdict(scenario, true, requests.size(), executions, List.copyOf(violations));
    }

    private void judgeKeys(Set<String> others, List<String> violations) {
        if (requests.stream().anyMatch(request -> request.keys().size() != 1)) {
            violations.add("a request has no key, or more than one line of Idempotency-Key");
        }
        Set<String> keys = keys();
        if (keys.size() > 1) {
            violations.add(keys.size() + " keys for one intent: a retry with another key can execute it twice");
        }
        if (keys.stream().anyMatch(key -> !VALID_KEY.matcher(key).matches())) {
            violations.add("a key is not 1 to 255 visible ASCII characters");
        }
        if (scenario.client().timedKey()
                && keys.stream().anyMatch(key -> !UUID_V7.matcher(key).matches())) {
            violations.add("the key is no UUID of version 7");
        }
        Set<String> shared = new HashSet<>(keys);
        shared.retainAll(others);
        if (!shared.isEmpty()) {
            violations.add("the key was also used for another intent");
        }
    }

    private void judgeRequests(List<String> violations) {
        Expected expected = scenario.client();
        int count = requests.size();
        if (count < expected.leastRequests()) {
            violations.add(
                    "sent " + count + " requests instead of " + expected.leastRequests() + ": gave up too early");
        }
        if (count > expected.mostRequests()) {
            violations.add("sent " + count + " requests instead of " + expected.mostRequests()
                    + ": sent again after a final answer");
        }
        if (afterReport > 0) {
            violations.add("sent " + afterReport + " requests after its report");
        }
        boolean same = requests.stream()
                        .map(request -> List.of(request.method(), request.path(), request.body()))
                        .distinct()
                        .count()
                <= 1;
        if (!same) {
            violations.add("a retry differs from the first request in method, path or body");
        }
    }

    private void judgeWaits(List<String> violations) {
        for (int i = 1; i < requests.size(); i++) {
            Step before = scenario.step(i - 1);
            Integer seconds = before.retryAfter();
            if (seconds == null) {
                continue;
            }
            Duration least =
                    Duration.ofSeconds(before.asDate() ? seconds - 1L : seconds).minus(TOLERANCE);
            Duration waited = requests.get(i).at().minus(requests.get(i - 1).at());
            if (waited.compareTo(least) < 0) {
                violations.add("sent request " + (i + 1) + " after " + waited.toMillis()
                        + " ms, although Retry-After was " + seconds + " s");
                return;
            }
        }
    }

    private void judgeReport(Map<String, Object> said, List<String> violations) {
        Expected expected = scenario.client();
        String ended = String.valueOf(said.get("ended"));
        if (!expected.ends().contains(ended)) {
            violations.add("ended with " + ended + " instead of " + String.join(" or ", expected.ends()));
        }
        expected.report().forEach((member, value) -> {
            Object given = said.get(member);
            boolean equal = value instanceof Number number
                    ? given instanceof Number other && other.intValue() == number.intValue()
                    : value.equals(given) || (given == null && value.equals(false));
            if (!equal) {
                violations.add("reported " + member + " " + given + " instead of " + value);
            }
        });
    }

    /**
     * The verdict on a scenario.
     *
     * @param reported whether the client has reported how it ended
     */
    record Verdict(Scenario scenario, boolean reported, int requests, int executions, List<String> violations) {

        boolean passed() {
            return violations.isEmpty();
        }

        /** The verdict in one word. */
        String word() {
            if (passed()) {
                return "passed";
            }
            if (!reported) {
                return "not_run";
            }
            return scenario.recommended() ? "advised" : "failed";
        }
    }
}
