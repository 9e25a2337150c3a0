package dev.semel.server.console.oidc;

import dev.semel.admin.access.Role;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of log-ins by OpenID Connect.
 *
 * @param issuer the provider
 * @param clientSecret null for a public client, which PKCE alone protects
 * @param publicUrl where browsers reach the console; the provider sends them back there
 * @param roleClaim the claim of the ID token that has the user's roles or groups
 * @param roles the value of that claim for each role
 */
public record OidcConfig(
        URI issuer,
        String clientId,
        @Nullable String clientSecret,
        URI publicUrl,
        String roleClaim,
        Map<Role, String> roles) {

    /** The values of the role claim, unless others are configured. */
    public static final Map<Role, String> DEFAULT_ROLES = Map.of(
            Role.VIEWER, "semel-viewer",
            Role.OPERATOR, "semel-operator",
            Role.ADMINISTRATOR, "semel-administrator");

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    public OidcConfig {
        requireProtected("the issuer", issuer);
        requireProtected("the public URL", publicUrl);
    }

    private static void requireProtected(String what, URI uri) {
        boolean loopback = uri.getHost() != null && LOOPBACK.contains(uri.getHost());
        if (uri.getHost() == null
                || !("https".equals(uri.getScheme()) || (loopback && "http".equals(uri.getScheme())))) {
            throw new IllegalArgumentException(what + " must be an https URL, or http on this machine: " + uri);
        }
    }

    String redirectUri() {
        return publicUrl.toString().replaceFirst("/+$", "") + "/semel/login/oidc/callback";
    }
}
