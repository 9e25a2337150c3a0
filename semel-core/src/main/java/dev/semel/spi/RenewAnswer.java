package dev.semel.spi;

/** A store's answer to a heartbeat. */
public enum RenewAnswer {
    /** The lease runs anew from now, by the store's clock. */
    RENEWED,
    /** The fence is stale or the record is settled: nothing was written. */
    LOST
}
