package dev.semel.server.console.oidc;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.Caller;
import dev.semel.admin.access.Role;
import dev.semel.admin.access.Sessions;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Log-ins by OpenID Connect: the code flow with PKCE.
 *
 * <ol>
 *   <li>{@code /semel/login/oidc} remembers an attempt, gives the browser its state in a cookie, and sends it to the provider.
 *   <li>{@code /semel/login/oidc/callback} takes the attempt, once, if cookie and parameter have the same state, and exchanges
 *       the code with the attempt's verifier.
 *   <li>The ID token's signature, issuer, audience, expiry and nonce are verified; a claim of it says the role.
 *   <li>The session's cookie is {@code SameSite=Strict}, which a browser does not send while it is being sent back from the
 *       provider: a page that leads on to the console begins a visit of our own.
 * </ol>
 */
public final class OidcLogin implements Authenticator {

    private static final System.Logger LOG = System.getLogger("dev.semel.console");
    private static final String START = "/login/oidc";
    private static final String CALLBACK = "/login/oidc/callback";
    private static final String COOKIE = "semel-login";

    /** Long enough to find a second factor. */
    private static final Duration LONGEST_ATTEMPT = Duration.ofMinutes(10);

    private static final int MOST_ATTEMPTS = 1000;

    private final OidcConfig config;
    private final OidcProvider provider;
    private final AdminTime time;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Attempt> attempts = new LinkedHashMap<>();

    public OidcLogin(OidcConfig config, AdminTime time) {
        this.config = config;
        this.provider = new OidcProvider(config);
        this.time = time;
    }

    /** A log-in that has begun. */
    record Attempt(String state, String nonce, String verifier, long startedNanos) {

        String challenge() {
            try {
                byte[] digest =
                        MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
                return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }
    }

    @Override
    public String kind() {
        return "oidc";
    }

    @Override
    public Optional<Caller> callerOf(AdminRequest request) {
        return Optional.empty();
    }

    @Override
    public Optional<AdminResponse> loginPage(AdminRequest request, Sessions sessions) {
        if (!request.method().equals("GET")) {
            return Optional.empty();
        }
        return switch (request.path()) {
            case START -> Optional.of(start(request));
            case CALLBACK -> Optional.of(finish(request, sessions));
            default -> Optional.empty();
        };
    }

    private AdminResponse start(AdminRequest request) {
        Attempt attempt = new Attempt(secret(), secret(), secret(), time.nanos());
        String url;
        try {
            url = provider.authorizationUrl(attempt);
        } catch (IOException e) {
            throw failed("The provider cannot be asked", e);
        }
        remember(attempt);
        return AdminResponse.of(302, "text/plain; charset=utf-8", new byte[0])
                .with("Location", url)
                .with("Set-Cookie", cookie(attempt.state(), LONGEST_ATTEMPT.toSeconds(), request.secure()));
    }

    private synchronized void remember(Attempt attempt) {
        if (attempts.size() >= MOST_ATTEMPTS) {
            attempts.remove(attempts.keySet().iterator().next());
        }
        attempts.put(attempt.state(), attempt);
    }

    private synchronized @Nullable Attempt take(@Nullable String state) {
        attempts.values().removeIf(attempt -> time.nanos() - attempt.startedNanos() > LONGEST_ATTEMPT.toNanos());
        return state == null ? null : attempts.remove(state);
    }

    private AdminResponse finish(AdminRequest request, Sessions sessions) {
        Map<String, String> parameters = parameters(request.query());
        String state = parameters.get("state");
        String code = parameters.get("code");
        Attempt attempt = state != null && state.equals(cookieOf(request)) ? take(state) : null;
        if (attempt == null || code == null) {
            throw new AdminProblem(
                    401, "login_failed", "The log-in failed", "It took too long, or began elsewhere. Log in again.");
        }
        Caller caller;
        try {
            caller = callerOf(provider.claims(code, attempt), request.address());
        } catch (IOException e) {
            throw failed("The log-in failed", e);
        }
        String page = "<!doctype html><meta charset=\"utf-8\"><title>Semel console</title>"
                + "<meta http-equiv=\"refresh\" content=\"0;url=../../console/\">"
                + "<a href=\"../../console/\">Go on to the console</a>";
        return AdminResponse.of(200, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8))
                .with("Set-Cookie", sessions.start(caller, request.secure()))
                .with("Set-Cookie", cookie("", 0, request.secure()));
    }

    private Caller callerOf(JWTClaimsSet claims, String address) {
        Role role = roleIn(claims.getClaim(config.roleClaim()));
        if (role == null) {
            throw new AdminProblem(
                    403,
                    "role_missing",
                    "You have no role here",
                    "The claim " + config.roleClaim() + " of your token has none of the roles of this console.");
        }
        Object name = claims.getClaim("preferred_username");
        return new Caller(
                name instanceof String text && !text.isBlank() ? text : String.valueOf(claims.getSubject()),
                role,
                address);
    }

    private @Nullable Role roleIn(@Nullable Object claim) {
        List<?> values = claim instanceof List<?> list
                ? list
                : claim instanceof String text ? List.of(text.split(" ", -1)) : List.of();
        Role highest = null;
        for (Role role : Role.values()) {
            if (values.contains(config.roles().get(role))) {
                highest = role;
            }
        }
        return highest;
    }

    private static AdminProblem failed(String title, IOException cause) {
        LOG.log(System.Logger.Level.WARNING, "a log-in failed", cause);
        return new AdminProblem(502, "login_failed", title, "The log of the console says why. Log in again.");
    }

    private String secret() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** {@code Lax}: the provider sends the browser back, which makes the callback a visit from another site. */
    private static String cookie(String state, long seconds, boolean secure) {
        return COOKIE + "=" + state + "; Path=/semel/login; Max-Age=" + seconds + "; HttpOnly; SameSite=Lax"
                + (secure ? "; Secure" : "");
    }

    private static @Nullable String cookieOf(AdminRequest request) {
        for (String line : request.headers().all("Cookie")) {
            for (String pair : line.split(";", -1)) {
                if (pair.strip().startsWith(COOKIE + "=")) {
                    return pair.strip().substring(COOKIE.length() + 1);
                }
            }
        }
        return null;
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.putIfAbsent(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return parameters;
    }
}
