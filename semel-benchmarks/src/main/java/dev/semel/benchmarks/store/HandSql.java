package dev.semel.benchmarks.store;

import dev.semel.benchmarks.database.Dialect;

/** The statements of hand-written tables. Old keys have to go some day, so there is an index to find them by. */
record HandSql(String create, String index, String read, String lock, String insert, String insertOnce, String update) {

    static HandSql of(Dialect dialect, String table) {
        boolean postgresql = dialect == Dialect.POSTGRESQL;
        String time = postgresql ? "timestamptz" : "integer";
        String now = postgresql ? "now()" : "unixepoch()";
        String expiry = postgresql ? "now() + interval '1 day'" : "unixepoch() + 86400";
        String create = "CREATE TABLE " + table + " (scope text NOT NULL, key text NOT NULL, state text NOT NULL,"
                + " fingerprint text NOT NULL, response " + (postgresql ? "bytea" : "blob") + ", created_at " + time
                + " NOT NULL, expires_at " + time + " NOT NULL, PRIMARY KEY (scope, key))";
        String read = "SELECT state, fingerprint, response FROM " + table + " WHERE scope = ? AND key = ?";
        String insert = "INSERT INTO " + table + " (scope, key, state, fingerprint, created_at, expires_at)"
                + " VALUES (?, ?, 'in_progress', ?, " + now + ", " + expiry + ")";
        return new HandSql(
                create,
                "CREATE INDEX " + table + "_expiry ON " + table + " (expires_at)",
                read,
                // SQLite has no row locks: a transaction that begins as IMMEDIATE holds the whole file.
                postgresql ? read + " FOR UPDATE" : read,
                insert,
                insert + " ON CONFLICT DO NOTHING",
                "UPDATE " + table + " SET state = 'completed', response = ? WHERE scope = ? AND key = ?");
    }
}
