package dev.semel.benchmarks.redis;

import java.util.Set;

/** What contenders are called. */
final class RedisNames {

    static final String SEMEL = "semel";
    static final String SEMEL_ASYNC = "semel async";
    static final String BARE = "bare evalsha";
    static final String BARE_ASYNC = "bare evalsha async";
    static final String GET = "bare get";
    static final String GET_ASYNC = "bare get async";
    static final String JDEMPOTENT = "jdempotent";
    static final String SPRING = "spring-integration";
    static final String SPRING_PUT = "spring-integration + put";

    /** Those that stand for Semel. */
    static final Set<String> OWN = Set.of(SEMEL, SEMEL_ASYNC);

    private RedisNames() {}
}
