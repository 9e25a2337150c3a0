package dev.semel.benchmarks.store;

import java.util.Set;

/** What contenders are called. */
final class Names {

    static final String SEMEL = "semel";
    static final String SEMEL_ASYNC = "semel async";
    static final String NEAR_CACHE = "semel near-cache";
    static final String SERIALIZABLE = "serializable";
    static final String CONFLICT = "insert-on-conflict";
    static final String SELECT = "one select";
    static final String BARE = "bare loop";
    static final String BARE_ASYNC = "bare loop async";
    static final String CAMEL = "camel";
    static final String SPRING = "spring-integration";
    static final String DOMAIN = "domain insert alone";
    static final String HAND_TRANSACTION = "hand-written in transaction";
    static final String TRANSACTION = "semel in transaction";
    static final String LATE_TRANSACTION = "semel in transaction, claimed late";

    /** Those that stand for Semel. */
    static final Set<String> OWN = Set.of(SEMEL, SEMEL_ASYNC, NEAR_CACHE, TRANSACTION, LATE_TRANSACTION);

    private Names() {}
}
