package dev.semel.benchmarks.store;

import dev.semel.benchmarks.database.Dialect;

/** The statements of hand-written tables. Old keys have to go some day, so there is an index to find them by. */
record HandSql(String create, String index, String read, String lock, String insert, String insertOnce, String update) {

    /** What a dialect calls things; {@code keys} says how keys are compared, which is by their bytes. */
    private record Words(String text, String keys, String bytes, String time, String now, String tomorrow) {

        static Words of(Dialect dialect) {
            return switch (dialect) {
                case POSTGRESQL -> new Words("text", "", "bytea", "timestamptz", "now()", "now() + interval '1 day'");
                case MYSQL ->
                    new Words(
                            "varchar(255)",
                            " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                            "blob",
                            "datetime(6)",
                            "now(6)",
                            "now(6) + INTERVAL 1 DAY");
                case SQLITE -> new Words("text", "", "blob", "integer", "unixepoch()", "unixepoch() + 86400");
            };
        }
    }

    static HandSql of(Dialect dialect, String table) {
        Words words = Words.of(dialect);
        String read = "SELECT state, fingerprint, response FROM " + table + " WHERE scope = ? AND request_key = ?";
        String insert = "INTO " + table + " (scope, request_key, state, fingerprint, created_at, expires_at)"
                + " VALUES (?, ?, 'in_progress', ?, " + words.now() + ", " + words.tomorrow() + ")";
        return new HandSql(
                create(words, table),
                "CREATE INDEX " + table + "_expiry ON " + table + " (expires_at)",
                read,
                // SQLite has no row locks: a transaction that begins as IMMEDIATE holds the whole file.
                dialect == Dialect.SQLITE ? read : read + " FOR UPDATE",
                "INSERT " + insert,
                dialect == Dialect.MYSQL ? "INSERT IGNORE " + insert : "INSERT " + insert + " ON CONFLICT DO NOTHING",
                "UPDATE " + table + " SET state = 'completed', response = ? WHERE scope = ? AND request_key = ?");
    }

    private static String create(Words words, String table) {
        return """
                CREATE TABLE %1$s (
                    scope %2$s NOT NULL,
                    request_key %2$s NOT NULL,
                    state %2$s NOT NULL,
                    fingerprint %2$s NOT NULL,
                    response %3$s,
                    created_at %4$s NOT NULL,
                    expires_at %4$s NOT NULL,
                    PRIMARY KEY (scope, request_key))%5$s
                """.formatted(table, words.text(), words.bytes(), words.time(), words.keys());
    }
}
