package dev.semel.server.cli;

import dev.semel.server.gateway.config.ConfigFile;
import dev.semel.server.gateway.config.FileConfig;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.SettleToken;
import dev.semel.server.gateway.config.SettlingConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a gateway does with requests, by options, or by a file that the options win over. */
final class GatewayOptions {

    @Option(names = "--upstream", paramLabel = "URL", description = "The service, such as http://127.0.0.1:9000.")
    private @Nullable String upstream;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A YAML file with routes; it is read again when it changes, and on SIGHUP.")
    private @Nullable Path file;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = "Whom a key belongs to: " + ScopeConfig.CHOICES + ".")
    private @Nullable String scope;

    @Option(
            names = "--trust-proxy",
            paramLabel = "ADDRESS",
            split = ",",
            description =
                    "A proxy that is believed what it says of its clients: an IP address, or a block such as 10.0.0.0/8.")
    private List<String> trustedProxies = new ArrayList<>();

    @Option(
            names = "--jwks",
            paramLabel = "FILE|URL",
            description = "The public keys of the issuer of tokens, for --scope jwt:CLAIM.")
    private @Nullable String jwks;

    @Option(names = "--issuer", paramLabel = "TEXT", description = "What iss of a token must be.")
    private @Nullable String issuer;

    @Option(names = "--audience", paramLabel = "TEXT", description = "What aud of a token must contain.")
    private @Nullable String audience;

    @Nullable
    Path file() {
        return file;
    }

    /**
     * Reads the configuration.
     *
     * @throws IllegalArgumentException when an option is wrong or missing
     * @throws dev.semel.server.gateway.config.ConfigException when the file is wrong
     */
    FileConfig read() {
        UpstreamAddress service = upstream == null ? null : UpstreamAddress.parse(upstream);
        ScopeConfig owner = scope == null ? null : ScopeConfig.parse(scope);
        JwtConfig tokens = new JwtConfig(jwks, issuer, audience);
        if (file != null) {
            return withToken(ConfigFile.read(file, new ConfigFile.Given(service, owner, trustedProxies, tokens)));
        }
        if (service == null) {
            throw new IllegalArgumentException("no service is given: use --upstream URL, or --config FILE");
        }
        if (owner == null) {
            throw new IllegalArgumentException(
                    "--scope is missing, since a guess would let tenants meet; use one of: " + ScopeConfig.CHOICES);
        }
        GatewayConfig config = GatewayConfig.of(service, owner, tokens, TrustedProxies.of(trustedProxies));
        return withToken(FileConfig.of(config));
    }

    /** The token of the environment, unless the file has one. */
    private static FileConfig withToken(FileConfig config) {
        SettlingConfig settling = config.gateway().settling();
        String secret = System.getenv(SettleToken.VARIABLE);
        if (settling.token() != null || secret == null || secret.isBlank()) {
            return config;
        }
        return config.gateway(config.gateway().settling(new SettlingConfig(SettleToken.of(secret), settling.every())));
    }
}
