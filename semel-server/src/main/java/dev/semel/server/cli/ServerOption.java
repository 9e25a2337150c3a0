package dev.semel.server.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A console that runs elsewhere. */
final class ServerOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "A console that runs elsewhere, such as https://console.example.com, instead of --store.")
    private @Nullable String server;

    @Option(names = "--token-file", paramLabel = "FILE", description = "The file with your token for --server.")
    private @Nullable Path tokenFile;

    boolean isGiven() {
        if (server == null && tokenFile != null) {
            throw wrong("--token-file is for --server");
        }
        return server != null;
    }

    /**
     * A client of the console.
     *
     * @throws ParameterException when a store is given as well, or the URL or the token cannot be read
     */
    AdminClient open(StoreOption store) {
        if (store.isGiven()) {
            throw wrong("give --store or --server, not both");
        }
        return AdminClient.at(address(String.valueOf(server)), token());
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
