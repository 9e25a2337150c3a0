package dev.semel.torture;

import java.time.Duration;

/**
 * What distinguishes one run from another; together with {@link Timing} it determines the schedule.
 *
 * @param length of the time in which things are broken
 * @param apps how many application processes there are
 * @param server what can be broken of the store
 * @param emphasis what happens more often than usual
 */
record Setup(long seed, Duration length, int apps, Server server, Emphasis emphasis) {

    /** What can be broken of a store. */
    enum Server {
        /** A file: nothing can be killed, but it can be locked. */
        SQLITE,
        OWN_POSTGRESQL,
        FOREIGN_POSTGRESQL,
        OWN_MARIADB,
        FOREIGN_MYSQL,
        OWN_REDIS,
        FOREIGN_REDIS,
        OWN_REDIS_CLUSTER,
        /** Its servers tell clients where they are, so nothing can lie in between. */
        FOREIGN_REDIS_CLUSTER,
        /** Three nodes, which are broken one at a time or two at once; they tell clients where they are. */
        OWN_CASSANDRA,
        /** PostgreSQL with a Redis in front of it, which is broken all the time. */
        OWN_TIERED;

        /** Whether the run started the server; of one that it was given, it breaks only the connections. */
        boolean isOurs() {
            return switch (this) {
                case OWN_POSTGRESQL, OWN_MARIADB, OWN_REDIS, OWN_REDIS_CLUSTER, OWN_CASSANDRA, OWN_TIERED -> true;
                case SQLITE, FOREIGN_POSTGRESQL, FOREIGN_MYSQL, FOREIGN_REDIS, FOREIGN_REDIS_CLUSTER -> false;
            };
        }
    }
}
