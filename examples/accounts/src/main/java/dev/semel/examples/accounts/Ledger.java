package dev.semel.examples.accounts;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The accounts, and one entry for every command that has changed one, in SQLite.
 *
 * <p>The id of the command is the key of its entry, and an entry is written in one transaction with the balance. So a command
 * that is executed again, because the process was killed before its result was recorded, finds its entry and changes nothing.
 */
final class Ledger implements AutoCloseable {

    private final Connection connection;

    Ledger(Path file) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file + "?synchronous=FULL&busy_timeout=10000");
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS account (
                        name          TEXT    PRIMARY KEY,
                        balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0)
                    ) STRICT""");
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS entry (
                        command_id    TEXT    PRIMARY KEY,
                        account       TEXT    NOT NULL,
                        status        TEXT    NOT NULL,
                        change_cents  INTEGER NOT NULL,
                        balance_cents INTEGER NOT NULL -- of the account after the command
                    ) STRICT""");
        }
        connection.setAutoCommit(false);
    }

    /** Executes a command, unless it has an entry: then its receipt is returned. */
    synchronized Receipt execute(AccountCommand command) throws SQLException {
        try {
            Optional<Receipt> before = find(command);
            Receipt receipt = before.isPresent() ? before.get() : change(command);
            connection.commit();
            return receipt;
        } finally {
            connection.rollback(); // undoes what was not committed
        }
    }

    private Receipt change(AccountCommand command) throws SQLException {
        OptionalLong balance = readBalance(command.account());
        if (command instanceof AccountCommand.Create) {
            return balance.isPresent()
                    ? new Receipt(Receipt.ACCOUNT_EXISTS, command.account(), balance.getAsLong())
                    : write(command, Receipt.CREATED, 0, 0);
        }
        if (balance.isEmpty()) {
            return new Receipt(Receipt.NO_SUCH_ACCOUNT, command.account(), 0);
        }
        long change = changeOf(command);
        long after = Math.addExact(balance.getAsLong(), change);
        return after < 0
                ? new Receipt(Receipt.INSUFFICIENT_FUNDS, command.account(), balance.getAsLong())
                : write(command, change > 0 ? Receipt.DEPOSITED : Receipt.WITHDRAWN, change, after);
    }

    private static long changeOf(AccountCommand command) {
        if (command instanceof AccountCommand.Deposit deposit) {
            return deposit.amountCents();
        }
        return command instanceof AccountCommand.Withdraw withdraw ? -withdraw.amountCents() : 0;
    }

    private Receipt write(AccountCommand command, String status, long change, long balance) throws SQLException {
        try (PreparedStatement account = connection.prepareStatement("""
                        INSERT INTO account (name, balance_cents) VALUES (?, ?)
                        ON CONFLICT (name) DO UPDATE SET balance_cents = excluded.balance_cents""");
                PreparedStatement entry = connection.prepareStatement("""
                        INSERT INTO entry (command_id, account, status, change_cents, balance_cents)
                        VALUES (?, ?, ?, ?, ?)""")) {
            account.setString(1, command.account());
            account.setLong(2, balance);
            account.executeUpdate();
            entry.setString(1, command.commandId());
            entry.setString(2, command.account());
            entry.setString(3, status);
            entry.setLong(4, change);
            entry.setLong(5, balance);
            entry.executeUpdate();
        }
        return new Receipt(status, command.account(), balance);
    }

    private Optional<Receipt> find(AccountCommand command) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT account, status, change_cents, balance_cents FROM entry WHERE command_id = ?")) {
            select.setString(1, command.commandId());
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                if (!row.getString(1).equals(command.account()) || row.getLong(3) != changeOf(command)) {
                    return Optional.of(new Receipt(
                            Receipt.COMMAND_ID_USED,
                            command.account(),
                            readBalance(command.account()).orElse(0)));
                }
                return Optional.of(new Receipt(row.getString(2), row.getString(1), row.getLong(4)));
            }
        }
    }

    /** The balance of an account, or empty when there is none. */
    synchronized OptionalLong balanceOf(String account) throws SQLException {
        try {
            return readBalance(account);
        } finally {
            connection.rollback(); // ends the transaction, which would keep others from writing
        }
    }

    private OptionalLong readBalance(String account) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT balance_cents FROM account WHERE name = ?")) {
            select.setString(1, account);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        connection.close();
    }
}
