package dev.semel.benchmarks.database;

import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The databases that this run has created on a server, to be dropped when it is over. */
final class CreatedDatabases {

    private final Database server;
    private final String ownServer;
    private final Queue<String> names = new ConcurrentLinkedQueue<>();

    /**
     * @param server a database that is there, from where others can be created
     * @param ownServer how to get a server on which everything may be created, for a message
     */
    CreatedDatabases(Database server, String ownServer) {
        this.server = server;
        this.ownServer = ownServer;
    }

    /** Returns the whole name of the database. */
    String create(String name) throws SQLException {
        String database = "semel_bench_" + name + "_" + ProcessHandle.current().pid();
        try {
            server.execute("CREATE DATABASE " + database);
        } catch (SQLException e) {
            throw new SQLException(
                    "cannot create a database for the benchmark (" + e.getMessage() + "): give a user who may, or "
                            + ownServer + " for a server of its own",
                    e);
        }
        names.add(database);
        return database;
    }

    /** @param options what follows the name in the statement */
    void drop(String options) throws SQLException {
        for (String database = names.poll(); database != null; database = names.poll()) {
            server.execute("DROP DATABASE IF EXISTS " + database + options);
        }
    }
}
