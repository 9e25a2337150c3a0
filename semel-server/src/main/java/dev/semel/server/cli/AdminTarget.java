package dev.semel.server.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a command works on: a store, or a console that runs elsewhere. */
final class AdminTarget {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private SecretOption secret = new SecretOption();

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "A console that runs elsewhere, such as https://console.example.com, instead of --store.")
    private @Nullable String server;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "The file with your token for --server.")
    private @Nullable Path tokenFile;

    boolean isRemote() {
        return server != null;
    }

    /** @throws ParameterException when neither or both are given */
    AdminClient open() {
        if (server == null) {
            if (tokenFile != null) {
                throw wrong("--token-file is for --server");
            }
            return AdminClient.on(secret.engine(store.open()));
        }
        if (store.isGiven()) {
            throw wrong("give --store or --server, not both");
        }
        return AdminClient.at(address(server), token());
    }

    private URI address(String given) {
        try {
            URI uri = URI.create(given);
            if (uri.getHost() != null && Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw wrong("--server: this is no URL: " + e.getMessage());
        }
        throw wrong("--server: expected a URL such as https://console.example.com");
    }

    private String token() {
        if (tokenFile == null) {
            return "";
        }
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw wrong("--token-file: cannot be read: " + e);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
