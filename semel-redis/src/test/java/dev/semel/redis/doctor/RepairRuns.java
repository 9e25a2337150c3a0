package dev.semel.redis.doctor;

import dev.semel.redis.connection.Link;
import dev.semel.redis.script.Scripts;

/** Runs a repair with changed scripts, for test harnesses in other packages. */
public final class RepairRuns {

    private RepairRuns() {}

    public static RedisRepairReport run(Link link, Scripts scripts, boolean repair) {
        return RedisRepair.run(link, scripts, repair);
    }
}
