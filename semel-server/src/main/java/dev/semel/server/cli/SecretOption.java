package dev.semel.server.cli;

import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The secret of hashed keys, with which a key that a client sent is found. */
final class SecretOption {

    private static final String SECRET = "SEMEL_KEYS_SECRET";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--keys-secret-file",
            paramLabel = "FILE",
            description = "For stores with hashed keys: the file with their secret in base64 (default: the environment"
                    + " variable " + SECRET + "). Not needed for a key as 'unknown list' prints it.")
    private @Nullable Path secretFile;

    /**
     * Builds an engine on the store, which executes nothing, with the secret of hashed keys if it is given.
     *
     * @throws ParameterException when the secret is invalid
     */
    SemelEngine engine(Store store) {
        SemelEngine.Builder builder = SemelEngine.on(store).forOperators();
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
                    (secretFile == null ? "the environment variable " + SECRET : "--keys-secret-file") + ": "
                            + e.getMessage(),
                    e);
        } catch (StoreException e) {
            store.close();
            throw e;
        }
    }
}
