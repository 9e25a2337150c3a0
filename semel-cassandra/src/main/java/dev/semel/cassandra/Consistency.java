package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** Among which replicas conditions are decided. */
public enum Consistency {
    /** Among the replicas of all data centers: a key has one record, wherever it is claimed. */
    GLOBAL(DefaultConsistencyLevel.SERIAL, DefaultConsistencyLevel.QUORUM),

    /** Among the replicas of the local data center: right only where every claim of a key comes from this one. */
    LOCAL(DefaultConsistencyLevel.LOCAL_SERIAL, DefaultConsistencyLevel.LOCAL_QUORUM);

    private final DefaultConsistencyLevel serial;
    private final DefaultConsistencyLevel quorum;

    Consistency(DefaultConsistencyLevel serial, DefaultConsistencyLevel quorum) {
        this.serial = serial;
        this.quorum = quorum;
    }

    /** The level at which conditions are decided. */
    public ConsistencyLevel serial() {
        return serial;
    }

    /** The level of reads, and at which a decided write becomes visible. */
    public ConsistencyLevel quorum() {
        return quorum;
    }
}
