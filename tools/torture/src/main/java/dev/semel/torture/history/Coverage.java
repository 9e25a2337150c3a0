package dev.semel.torture.history;

import java.util.ArrayList;
import java.util.List;

/** What happened in a run, as numbers; a run in which too little happened proves nothing. */
public record Coverage(
        int keys,
        int requests,
        int succeeded,
        int charges,
        int faults,
        int keysFaulted,
        int lateWakeUps,
        int unknownHappened,
        int unknownNotHappened,
        int lateKeys,
        int lateRetries,
        int lateRefusals) {

    /** In which respects too little happened; empty when enough did. */
    public List<String> shortOf(Expectations.Floors floors) {
        List<String> missing = new ArrayList<>();
        if (keys == 0) {
            missing.add("no key was used");
        }
        if (percent(keysFaulted, keys) < floors.faultedPercent()) {
            missing.add("faults hit only " + keysFaulted + " of " + keys + " keys in flight, less than "
                    + floors.faultedPercent() + "%");
        }
        atLeast(missing, "late wake-ups", lateWakeUps, floors.lateWakeUps());
        atLeast(missing, "unknown outcomes settled as happened", unknownHappened, floors.unknownHappened());
        atLeast(missing, "unknown outcomes settled as not happened", unknownNotHappened, floors.unknownNotHappened());
        atLeast(missing, "late retries that were refused", lateRefusals, floors.lateRetries());
        if (percent(succeeded, requests) < floors.succeededPercent()) {
            missing.add("only " + succeeded + " of " + requests + " requests got a final answer, less than "
                    + floors.succeededPercent() + "%");
        }
        return missing;
    }

    private static double percent(int part, int whole) {
        return whole == 0 ? 100 : 100.0 * part / whole;
    }

    private static void atLeast(List<String> missing, String what, int count, int floor) {
        if (count < floor) {
            missing.add(what + ": " + count + ", fewer than " + floor);
        }
    }
}
