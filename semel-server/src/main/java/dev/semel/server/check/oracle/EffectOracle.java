package dev.semel.server.check.oracle;

/** Counts the effects that requests had, independently of what they were answered. */
public interface EffectOracle {

    /**
     * The number of effects so far.
     *
     * @throws OracleException when it cannot be found out
     */
    long count();

    /** What is counted, without secrets, for reports. */
    String description();

    /** The command by which a person counts, for reproductions. */
    String command();
}
