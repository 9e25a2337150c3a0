package dev.semel.server.cli;

import dev.semel.admin.access.Role;
import dev.semel.server.console.oidc.OidcConfig;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Log-ins by OpenID Connect. */
final class OidcOptions {

    private static final String SECRET = "SEMEL_OIDC_CLIENT_SECRET";

    @Option(names = "--oidc-issuer", paramLabel = "URL", description = "Lets people log in at this OpenID provider.")
    private @Nullable String issuer;

    @Option(
            names = "--oidc-client-id",
            paramLabel = "ID",
            defaultValue = "semel-console",
            description = "The console's name at the provider (${DEFAULT-VALUE}). Its secret, if it has one, is in the"
                    + " environment variable " + SECRET + ".")
    private String clientId = "";

    @Option(
            names = "--oidc-role-claim",
            paramLabel = "CLAIM",
            defaultValue = "roles",
            description = "The claim of the ID token with the roles or groups of a user (${DEFAULT-VALUE}).")
    private String roleClaim = "";

    @Option(
            names = "--oidc-role",
            paramLabel = "ROLE=VALUE",
            description =
                    "The value of that claim for a role, such as operator=payments-support (default: semel-viewer,"
                            + " semel-operator, semel-administrator).")
    private Map<String, String> roles = Map.of();

    @Option(
            names = "--public-url",
            paramLabel = "URL",
            description = "Where browsers reach this console, for the way back from the provider (default: --listen).")
    private @Nullable String publicUrl;

    boolean isGiven() {
        return issuer != null;
    }

    /**
     * The configuration.
     *
     * @param listening the URL that the console listens on
     * @throws IllegalArgumentException when a URL or a role is wrong
     */
    OidcConfig config(String listening) {
        Map<Role, String> mapped = new EnumMap<>(OidcConfig.DEFAULT_ROLES);
        roles.forEach((role, value) -> mapped.put(Role.ofLabel(role), value));
        return new OidcConfig(
                URI.create(String.valueOf(issuer)),
                clientId,
                System.getenv(SECRET),
                URI.create(publicUrl == null ? listening : publicUrl),
                roleClaim,
                mapped);
    }
}
