package dev.semel.jdbc.sqlite;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.Semel.TransactionWork;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A process that pays within transactions, one key after the other, and prints each key when it is confirmed. It runs
 * until it is killed; with a key to stop in, it prints {@code inside} within that key's transaction and waits.
 */
final class PayingProcess {

    private static final Operation PAY = Operation.named("pay").waitUpTo(Duration.ofSeconds(30));

    private PayingProcess() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        String stop = arguments[1];
        DataSource dataSource = SqliteStore.dataSource(file);
        try (SemelEngine semel = SemelEngine.on(SqliteStore.open(file)).build()) {
            ChildProcess.serve(() -> {
                for (int i = 0; ; i++) {
                    String key = "key-" + i;
                    pay(semel, dataSource, key, (connection, attempt) -> {
                        insert(connection, key);
                        return key.equals(stop) ? waitInside() : key;
                    });
                    System.out.println(key);
                }
            });
        }
    }

    static <E extends Exception> String pay(
            SemelEngine semel, DataSource dataSource, String key, TransactionWork<String, E> work) throws E {
        Intent intent = Intent.of(PAY, new Scope("acme"), Key.of(key), new Fingerprint("v1:meant"));
        return semel.executeInTransaction(dataSource, intent, Codec.text(), work)
                .orThrow();
    }

    /** The effect: a row of the application's own. */
    static String insert(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO payment (id) VALUES (?)")) {
            statement.setString(1, key);
            statement.executeUpdate();
            return key;
        }
    }

    private static String waitInside() throws IOException {
        System.out.println("inside");
        return "read " + System.in.read();
    }

    /** Pays as this process does, without waiting inside. */
    static String payOnce(SemelEngine semel, DataSource dataSource, String key) throws SQLException {
        return pay(semel, dataSource, key, (Connection connection, Attempt attempt) -> insert(connection, key));
    }
}
