package dev.semel.examples.accounts;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention.Expiry;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.messaging.command.Command;
import dev.semel.messaging.command.CommandExecutor;
import dev.semel.messaging.command.IdempotentCommandBus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The accounts behind a command bus that executes each command once: a repeated {@code commandId} gets the first result.
 *
 * <p>Results are recorded for the retention, and pruned on a schedule. Even after that, a command that has changed an account
 * finds its entry in the {@link Ledger}.
 */
final class Accounts implements AutoCloseable {

    /** A duplicate of a command that was killed waits until its lease has ended, and then executes it. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Ledger ledger;
    private final SemelEngine semel;
    private final IdempotentCommandBus bus;

    private Accounts(Ledger ledger, SemelEngine semel, Duration retention) {
        this.ledger = ledger;
        this.semel = semel;
        this.bus = IdempotentCommandBus.around(new InLedger(), semel, JSON::writeValueAsBytes)
                .result(Receipt.class, Codec.of(JSON::writeValueAsBytes, bytes -> JSON.readValue(bytes, Receipt.class)))
                .command(AccountCommand.Create.class, Receipt.class, policy("create-account", retention))
                .command(AccountCommand.Deposit.class, Receipt.class, policy("deposit", retention))
                .command(AccountCommand.Withdraw.class, Receipt.class, policy("withdraw", retention))
                .build();
    }

    /** Opens the accounts in a directory, which is created if need be. */
    static Accounts open(Path directory, Duration retention, Duration pruneEvery) throws IOException, SQLException {
        Files.createDirectories(directory);
        Ledger ledger = new Ledger(directory.resolve("accounts.db"));
        SemelEngine semel = SemelEngine.on(SqliteStore.open(directory.resolve("semel.db")))
                .pruneEvery(pruneEvery, Expiry.DELETE)
                .build();
        return new Accounts(ledger, semel, retention);
    }

    /** The ledger recognizes a repeated command, so executing it again after a crash or a failure is safe. */
    private static Operation policy(String name, Duration retention) {
        return Operation.named(name)
                .retention(retention)
                .lease(LEASE)
                .waitUpTo(LONGEST_WAIT)
                .failures(Failures.RETRY)
                .reexecutableAfterCrash();
    }

    /** Executes commands in the ledger. */
    private final class InLedger implements CommandExecutor {

        @Override
        @SuppressWarnings("unchecked") // an AccountCommand's result is a Receipt
        public <R extends @Nullable Object> R execute(Command<R> command, Attempt attempt) {
            try {
                return (R) ledger.execute((AccountCommand) command);
            } catch (SQLException e) {
                throw new IllegalStateException("the ledger cannot be written: " + e.getMessage(), e);
            }
        }
    }

    Execution<Receipt> execute(AccountCommand command) {
        return bus.execute(command);
    }

    OptionalLong balanceOf(String account) throws SQLException {
        return ledger.balanceOf(account);
    }

    @Override
    public void close() throws SQLException {
        semel.close();
        ledger.close();
    }
}
