package dev.semel.benchmarks.database;

/** What kind of store a suite is about. */
public enum Kind {
    DATABASE("postgresql", "store"),
    REDIS("redis", "redis");

    private final String defaultStore;
    private final String defaultSuite;

    Kind(String defaultStore, String defaultSuite) {
        this.defaultStore = defaultStore;
        this.defaultSuite = defaultSuite;
    }

    /** What {@code --store} means where it is not given. */
    public String defaultStore() {
        return defaultStore;
    }

    /** What {@code --suite} means where it is not given. */
    public String defaultSuite() {
        return defaultSuite;
    }
}
