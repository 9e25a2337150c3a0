package dev.semel.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls at a fixed rate. A call's latency counts from the moment it was due, not from the moment it was made: a slow
 * contender does not get fewer calls to be measured by (coordinated omission).
 */
public final class PacedLoad implements Load {

    private final int callers;
    private final double perSecond;
    private final Call call;

    /** @param callers the most calls that are under way at once; beyond it they are late, which counts */
    public PacedLoad(int callers, double perSecond, Call call) {
        this.callers = callers;
        this.perSecond = perSecond;
        this.call = call;
    }

    @Override
    public Slice run(Duration length) throws Exception {
        long calls = Math.max(callers, Math.round(perSecond * length.toNanos() / 1e9));
        double nanosBetween = 1e9 / perSecond;
        return BlockingLoad.threads(callers, (caller, begun, latency) -> {
            for (long number = caller; number < calls; number += callers) {
                long due = begun + Math.round(number * nanosBetween);
                for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                    LockSupport.parkNanos(early);
                }
                call.run();
                latency.recordValue(System.nanoTime() - due);
            }
        });
    }
}
