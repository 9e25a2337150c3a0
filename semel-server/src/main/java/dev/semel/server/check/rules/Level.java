package dev.semel.server.check.rules;

/** How much a rule weighs. */
public enum Level {
    /** Broken, a retry has a second effect, or an answer reaches a caller or a request that it does not belong to. */
    MUST,
    /** Broken, clients have to guess or to fail, and no effect is doubled. */
    SHOULD,
    /** Good to know. */
    INFO
}
