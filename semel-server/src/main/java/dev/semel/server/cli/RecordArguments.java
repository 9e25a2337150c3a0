package dev.semel.server.cli;

import dev.semel.Identity;
import dev.semel.StoreException;
import dev.semel.engine.SemelBuilder;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The record that a command is about. */
final class RecordArguments {

    private static final String SECRET = "SEMEL_KEYS_SECRET";
    private static final int PAGE = 1000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "SCOPE",
            description =
                    "Whom the key belongs to, such as an account, as lists print it; 'anonymous' for requests without"
                            + " a known owner (an owner who is really called so is '%%61nonymous').")
    private String scope = "";

    @Parameters(
            index = "1",
            paramLabel = "KEY",
            description = "The key as the client sent it, or as 'unknown list' shows it. Before one that begins with a"
                    + " hyphen, write --.")
    private String key = "";

    @Option(
            names = "--keys-secret-file",
            paramLabel = "FILE",
            description = "Where keys are hashed: the file with their secret in base64 (otherwise the environment's "
                    + SECRET + "). Not needed for a key as 'unknown list' shows it.")
    private @Nullable Path secretFile;

    /** @throws ParameterException when this cannot be a record's identity */
    Identity identity() {
        try {
            return Identity.of(scope, key);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * An engine on the store, which executes nothing and knows the secret of hashed keys if there is one.
     *
     * @throws ParameterException when the secret is none
     */
    SemelEngine engine(Store store) {
        SemelBuilder builder = SemelEngine.on(store).forOperators();
        try {
            String secret = secretFile == null ? System.getenv(SECRET) : Files.readString(secretFile);
            if (secret != null && !secret.isBlank()) {
                builder.hashedKeys(secret);
            }
            return builder.build();
        } catch (IOException e) {
            store.close();
            throw new ParameterException(command.commandLine(), "--keys-secret-file: cannot be read: " + e, e);
        } catch (IllegalArgumentException e) {
            store.close();
            throw new ParameterException(
                    command.commandLine(),
                    (secretFile == null ? "the environment's " + SECRET : "--keys-secret-file") + ": " + e.getMessage(),
                    e);
        } catch (StoreException e) {
            store.close();
            throw e;
        }
    }

    /** Reads the record as it is stored; says so when there is none. */
    Optional<StoredRecord> find(SemelEngine semel, Store store) {
        Optional<StoredRecord> found = semel.unknownOutcomes().findSealed(semel.named(identity()));
        if (found.isEmpty()) {
            command.commandLine()
                    .getErr()
                    .println("semel: scope " + Printable.text(scope) + " has no record of this key");
        }
        return found;
    }

    /** Reads the record; an unknown one is also found where KEY is the name that logs give to its key. */
    Optional<StoredRecord> findAsLogged(SemelEngine semel, Store store) {
        if (key.matches("key#[0-9a-f]{8}")) {
            List<StoredRecord> logged = loggedAs(store);
            if (logged.size() == 1) {
                return Optional.of(logged.get(0));
            }
            if (logged.size() > 1) {
                command.commandLine()
                        .getErr()
                        .println("semel: logs name " + logged.size() + " keys of this scope so; name the key itself,"
                                + " as 'unknown list' prints it");
                return Optional.empty();
            }
        }
        return find(semel, store);
    }

    private List<StoredRecord> loggedAs(Store store) {
        List<StoredRecord> found = new ArrayList<>();
        List<StoredRecord> page = store.listUnknown(UnknownFilter.ALL, PAGE);
        while (!page.isEmpty()) {
            page.stream()
                    .filter(record -> record.identity().scope().value().equals(scope))
                    .filter(record -> record.identity().key().redacted().equals(key))
                    .forEach(found::add);
            Identity last = page.get(page.size() - 1).identity();
            page = page.size() < PAGE ? List.of() : store.listUnknown(UnknownFilter.ALL.after(last), PAGE);
        }
        return found;
    }

    /** Reads the record, which must be unknown; says what it is when it is not. */
    Optional<StoredRecord> findUnknown(SemelEngine semel, Store store) {
        return find(semel, store).filter(record -> {
            if (record.reconciling() == null) {
                command.commandLine().getErr().println("semel: " + whatItIs(record));
                return false;
            }
            return true;
        });
    }

    /** Why there is nothing to decide about a record that is not unknown. */
    static String whatItIs(StoredRecord record) {
        String state = "this record is not unknown, it is " + record.state().label();
        return switch (record.state()) {
            case IN_PROGRESS ->
                record.leaseRemaining().isZero()
                        ? state + ": its lease has expired; the reconciler, or the next request, will notice"
                        : state + ": its attempt may still answer, its lease ends at "
                                + record.times().lockedUntil();
            case COMPLETED -> state + ": its response is on record and is replayed";
            case FAILED_RETRYABLE -> state + ": the next request executes";
            case EXPIRED -> state + ": the next request executes";
            case UNKNOWN -> "this record is unknown";
        };
    }
}
