package dev.semel.server.cli;

import dev.semel.StoreException;
import dev.semel.engine.EncryptionKeys;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The secrets of a store: that of hashed keys, with which a key that a client sent is found, and those that open responses. */
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

    @Option(
            names = "--encryption-keys-file",
            paramLabel = "FILE",
            description =
                    "For stores with encrypted responses: a file with a line 'ID BASE64' for each key, the current one"
                            + " first. Without it responses stay closed, and one that a person settles with is stored unencrypted.")
    private @Nullable Path encryptionKeys;

    /**
     * Builds an engine on the store, which executes nothing, with the secrets that are given.
     *
     * @throws ParameterException when one of them is invalid
     */
    SemelEngine engine(Store store) {
        SemelEngine.Builder builder = SemelEngine.on(store).forOperators();
        try {
            Path keys = encryptionKeys;
            if (keys != null) {
                builder.encryption(ring(keys));
            }
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
        } catch (StoreException | ParameterException e) {
            store.close();
            throw e;
        }
    }

    private EncryptionKeys ring(Path file) {
        EncryptionKeys ring = null;
        try {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.strip().split("\\s+", -1);
                if (parts.length == 2) {
                    byte[] key = Base64.getDecoder().decode(parts[1]);
                    ring = ring == null ? EncryptionKeys.current(parts[0], key) : ring.older(parts[0], key);
                } else if (!line.isBlank()) {
                    throw new IllegalArgumentException("each line must be 'ID BASE64'");
                }
            }
        } catch (IOException e) {
            throw wrong("--encryption-keys-file: cannot be read: " + e, e);
        } catch (IllegalArgumentException e) {
            throw wrong("--encryption-keys-file: " + e.getMessage(), e);
        }
        if (ring == null) {
            throw wrong("--encryption-keys-file: has no line 'ID BASE64'", null);
        }
        return ring;
    }

    private ParameterException wrong(String message, @Nullable Exception cause) {
        return new ParameterException(command.commandLine(), message, cause);
    }
}
