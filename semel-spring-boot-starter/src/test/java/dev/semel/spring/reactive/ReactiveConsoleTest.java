package dev.semel.spring.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@DisplayName("The console in a WebFlux application, behind its own security")
class ReactiveConsoleTest {

    private static final String CALLS = "/semel/api/v1";

    private static ReactiveApplication application;

    @EnableAutoConfiguration
    @Import(Payments.class)
    static class Secured {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .httpBasic(basic -> {})
                    .authorizeExchange(exchange -> exchange.anyExchange().authenticated())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    user("payer", "ROLE_CUSTOMER"),
                    user("vera", "console:look"),
                    user("oscar", "ROLE_SEMEL_OPERATOR"),
                    user("ada", "ROLE_SEMEL_ADMINISTRATOR"));
        }

        private static UserDetails user(String name, String... authorities) {
            return User.withUsername(name)
                    .password("{noop}secret")
                    .authorities(authorities)
                    .build();
        }
    }

    @RestController
    static class Payments {

        @PostMapping("/payments")
        Mono<String> pay() {
            return Mono.just("paid");
        }
    }

    @BeforeAll
    static void start() {
        application = ReactiveApplication.withSecurity(
                Secured.class,
                "semel.unmatched=required",
                "semel.console.enabled=true",
                "semel.console.write=true",
                "semel.console.viewer=console:look");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static HttpRequest.Builder request(String user, String path) {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return application
                .request(path, "Authorization", "Basic " + credentials)
                .header("Content-Type", "application/json");
    }

    private static HttpResponse<String> get(String user, String path) {
        return application.send(request(user, path).GET());
    }

    private static HttpResponse<String> post(String user, String path, String body) {
        return application.send(request(user, path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void roles_come_from_authorities_and_a_user_without_one_sees_nothing() {
        assertThat(get("payer", CALLS + "/figures").statusCode()).isEqualTo(401);
        assertThat(get("vera", CALLS + "/session").body())
                .contains("\"name\":\"vera\"", "\"role\":\"viewer\"", "\"authentication\":\"application\"");
        assertThat(get("oscar", CALLS + "/session").body()).contains("\"role\":\"operator\"");
        assertThat(post("vera", CALLS + "/prune", "{\"reason\":\"r\"}").body()).contains("\"code\":\"role_missing\"");
        assertThat(post("ada", CALLS + "/prune", "{\"reason\":\"r\"}").statusCode())
                .isEqualTo(200);
        assertThat(application.send(application.request("/semel/console/")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void pages_and_their_headers_are_served_and_the_mount_leads_to_them() {
        HttpResponse<String> page = get("vera", "/semel/console/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "frame-ancestors 'none'");
        assertThat(get("vera", "/semel/console/main.js").statusCode()).isEqualTo(200);
        assertThat(get("vera", "/semel/console/..%2fopenapi.json").statusCode()).isNotEqualTo(200);
    }

    @Test
    void it_shows_the_traffic_the_replays_and_the_routes_of_the_application() {
        for (int i = 0; i < 3; i++) {
            assertThat(application
                            .send(request("payer", "/payments")
                                    .header("Idempotency-Key", "order-1")
                                    .POST(HttpRequest.BodyPublishers.ofString("{}")))
                            .body())
                    .isEqualTo("paid");
        }
        assertThat(post("vera", CALLS + "/records/search", "{\"scope\":\"payer\"}")
                        .body())
                .contains("\"key\":\"order-1\"", "\"state\":\"completed\"");
        assertThat(post("vera", CALLS + "/records/get", "{\"scope\":\"payer\",\"key\":\"order-1\"}")
                        .body())
                .contains("\"replays\":{\"count\":2,");
        assertThat(get("vera", CALLS + "/figures").body()).contains("\"live\":true", "\"claimMs\"");
        assertThat(get("vera", CALLS + "/operations").body()).contains("\"routes\":[{");
    }

    @Test
    void what_another_site_sends_is_refused_and_so_is_too_much() {
        HttpResponse<String> forged = application.send(request("ada", CALLS + "/prune")
                .header("Origin", "https://evil.test")
                .POST(HttpRequest.BodyPublishers.ofString("{\"reason\":\"r\"}")));
        assertThat(forged.statusCode()).isEqualTo(403);
        String huge = "{\"scope\":\"" + "x".repeat(3 * 1024 * 1024) + "\"}";
        assertThat(post("ada", CALLS + "/records/search", huge).statusCode()).isEqualTo(413);
    }

    @Test
    void the_doctor_says_what_it_knows_of_the_store() {
        assertThat(get("vera", CALLS + "/doctor").body()).contains("the application defines its own store");
    }

    @Test
    void figures_stream() throws Exception {
        HttpResponse<InputStream> response = HttpClient.newHttpClient()
                .send(
                        request("vera", CALLS + "/figures/stream").GET().build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (int events = 0; events < 2; events++) {
                assertThat(lines.readLine()).isEqualTo("event: figures");
                assertThat(lines.readLine()).startsWith("data: {");
                assertThat(lines.readLine()).isEmpty();
            }
        }
    }
}
