package dev.semel.server.cli;

import dev.semel.Identity;
import dev.semel.admin.json.Json;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments that identify a record. */
final class RecordArguments {

    private static final int PAGE = 1000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "SCOPE",
            description =
                    "The owner of the key, such as an account, as lists print it; 'anonymous' for requests without an"
                            + " owner (an owner with that very name is '%%61nonymous').")
    private String scope = "";

    @Parameters(
            index = "1",
            paramLabel = "KEY",
            description =
                    "The key as the client sent it, or as 'unknown list' prints it. Write -- before a key that starts"
                            + " with a hyphen.")
    private String key = "";

    @Mixin
    private SecretOption secret = new SecretOption();

    /** The record's name in a call of the admin API. */
    Json named() {
        return Json.object().with("scope", scope).with("key", key);
    }

    /** @throws ParameterException when this cannot be a record's identity */
    Identity identity() {
        try {
            return Identity.of(scope, key);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** Builds an engine on the store, as {@link SecretOption#engine} does. */
    SemelEngine engine(Store store) {
        return secret.engine(store);
    }

    /** Reads the stored record; prints an error if there is none. */
    Optional<StoredRecord> find(SemelEngine semel, Store store) {
        Optional<StoredRecord> found = semel.unknownOutcomes().findSealed(semel.named(identity()));
        if (found.isEmpty()) {
            command.commandLine()
                    .getErr()
                    .println("semel: scope " + Printable.text(scope) + " has no record of this key");
        }
        return found;
    }

    /** Reads the record; an unknown one is also found if KEY is the hash of its key in logs. */
    Optional<StoredRecord> findAsLogged(SemelEngine semel, Store store) {
        if (key.matches("key#[0-9a-f]{8}")) {
            List<StoredRecord> logged = loggedAs(store);
            if (logged.size() == 1) {
                return Optional.of(logged.get(0));
            }
            if (logged.size() > 1) {
                command.commandLine()
                        .getErr()
                        .println("semel: " + logged.size()
                                + " keys of this scope have this hash: give the key itself, as"
                                + " 'unknown list' prints it");
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

    /** Reads the record, which must be unknown; prints its state if it is not. */
    Optional<StoredRecord> findUnknown(SemelEngine semel, Store store) {
        return find(semel, store).filter(record -> {
            if (record.reconciling() == null) {
                command.commandLine().getErr().println("semel: " + stateOf(record));
                return false;
            }
            return true;
        });
    }

    /** Describes the state of a record, and why there is nothing to settle. */
    static String stateOf(StoredRecord record) {
        String state = "this record is not unknown, it is " + record.state().label();
        return switch (record.state()) {
            case IN_PROGRESS ->
                record.leaseRemaining().isZero()
                        ? state + ": its lease has expired; the reconciler or the next request will turn it unknown"
                        : state + ": its attempt may still complete it; its lease ends at "
                                + record.times().lockedUntil();
            case COMPLETED -> state + ": its response is recorded and replayed";
            case FAILED_RETRYABLE -> state + ": the next request executes the operation";
            case EXPIRED -> state + ": the next request executes the operation";
            case UNKNOWN -> "this record is unknown";
        };
    }
}
