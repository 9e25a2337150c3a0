package dev.semel.spi;

/** A store's answer to a step. */
public enum StepAnswer {
    /** The step is durable. */
    RECORDED,
    /** The fence is stale or the record is settled: nothing was written. */
    LOST
}
