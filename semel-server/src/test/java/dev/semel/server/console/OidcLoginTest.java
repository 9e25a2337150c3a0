package dev.semel.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.semel.admin.AdminApi;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.memory.MemoryStore;
import dev.semel.server.console.oidc.OidcConfig;
import dev.semel.server.console.oidc.OidcLogin;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A log-in by OpenID Connect")
class OidcLoginTest {

    private static final URI PUBLIC = URI.create("http://127.0.0.1:8090");

    private TestProvider provider;
    private SemelEngine semel;
    private AdminApi api;
    private long nanos;

    @BeforeEach
    void start() throws Exception {
        provider = new TestProvider();
        semel = SemelEngine.on(new MemoryStore()).build();
        OidcConfig config =
                new OidcConfig(provider.issuer(), "semel-console", null, PUBLIC, "roles", OidcConfig.DEFAULT_ROLES);
        api = AdminApi.on(semel, new OidcLogin(config, () -> nanos))
                .writes(true)
                .build();
    }

    @AfterEach
    void stop() {
        provider.close();
        semel.close();
    }

    private AdminResponse get(String path, String query, String cookie) {
        Headers headers = Headers.of("Host", "127.0.0.1:8090").with("Sec-Fetch-Site", "cross-site");
        return api.handle(new AdminRequest(
                "GET",
                path,
                query,
                cookie.isEmpty() ? headers : headers.with("Cookie", cookie),
                Body.EMPTY,
                "127.0.0.1",
                false,
                null));
    }

    private static String cookieOf(AdminResponse response, String name) {
        return response.headers().all("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .findFirst()
                .orElseThrow();
    }

    private static String queryOf(String url) {
        return URI.create(url).getRawQuery();
    }

    private AdminResponse session(String cookie) {
        return api.handle(new AdminRequest(
                "GET",
                "/api/v1/session",
                Headers.of("Host", "127.0.0.1:8090").with("Cookie", cookie),
                new byte[0],
                "127.0.0.1",
                false));
    }

    /** The whole way of a browser; the response of the callback. */
    private AdminResponse logIn() {
        AdminResponse start = get("/login/oidc", "", "");
        String back = provider.logIn(start.headers().first("Location").orElseThrow());
        return get("/login/oidc/callback", queryOf(back), cookieOf(start, "semel-login"));
    }

    private static String text(AdminResponse response) {
        return new String(response.body().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void begins_a_session_with_the_name_and_the_role_of_the_token() {
        AdminResponse callback = logIn();
        assertThat(callback.status()).isEqualTo(200);
        assertThat(callback.headers().all("Set-Cookie").get(0)).contains("SameSite=Strict", "HttpOnly");
        String session = cookieOf(callback, "semel-session");
        assertThat(text(session(session)))
                .contains("\"name\":\"alice\"", "\"role\":\"operator\"", "\"authentication\":\"oidc\"");
    }

    @Test
    void asks_for_a_code_with_pkce_a_state_and_a_nonce() {
        AdminResponse start = get("/login/oidc", "", "");
        assertThat(start.status()).isEqualTo(302);
        assertThat(start.headers().first("Location").orElseThrow())
                .startsWith(provider.issuer() + "/authorize?response_type=code&client_id=semel-console")
                .contains("code_challenge_method=S256", "code_challenge=", "nonce=", "state=")
                .doesNotContain("code_verifier");
    }

    @Test
    void fails_in_another_browser_a_second_time_and_too_late() {
        AdminResponse start = get("/login/oidc", "", "");
        String cookie = cookieOf(start, "semel-login");
        String back = queryOf(provider.logIn(start.headers().first("Location").orElseThrow()));
        assertThat(get("/login/oidc/callback", back, "").status())
                .as("no cookie")
                .isEqualTo(401);
        AdminResponse other = get("/login/oidc", "", "");
        assertThat(get("/login/oidc/callback", back, cookieOf(other, "semel-login"))
                        .status())
                .as("the cookie of another log-in")
                .isEqualTo(401);
        assertThat(get("/login/oidc/callback", back, cookie).status()).isEqualTo(200);
        assertThat(get("/login/oidc/callback", back, cookie).status())
                .as("a second time")
                .isEqualTo(401);
        AdminResponse slow = get("/login/oidc", "", "");
        String late = queryOf(provider.logIn(slow.headers().first("Location").orElseThrow()));
        nanos += 601_000_000_000L;
        assertThat(get("/login/oidc/callback", late, cookieOf(slow, "semel-login"))
                        .status())
                .as("too late")
                .isEqualTo(401);
    }

    @Test
    void a_token_that_is_not_meant_for_this_log_in_is_refused() throws Exception {
        List<UnaryOperator<JWTClaimsSet.Builder>> wrong = List.of(
                claims -> claims.claim("nonce", "another"),
                claims -> claims.claim("nonce", null),
                claims -> claims.audience("another-client"),
                claims -> claims.issuer("https://evil.test"),
                claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(600))));
        for (UnaryOperator<JWTClaimsSet.Builder> change : wrong) {
            provider.claims = change;
            AdminResponse response = logIn();
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.headers().first("Set-Cookie")).isEmpty();
        }
        provider.claims = UnaryOperator.identity();
        provider.signer = new RSAKeyGenerator(2048).keyID("one").generate();
        assertThat(logIn().status()).as("another key").isEqualTo(502);
    }

    @Test
    void a_user_without_a_role_gets_no_session() {
        provider.claims = claims -> claims.claim("roles", List.of("staff"));
        AdminResponse response = logIn();
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.headers().first("Set-Cookie")).isEmpty();
    }

    @Test
    void an_issuer_without_tls_is_refused() {
        assertThatThrownBy(() -> new OidcConfig(
                        URI.create("http://login.example.com"), "c", null, PUBLIC, "roles", OidcConfig.DEFAULT_ROLES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https");
    }
}
