package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("The console in an application, behind its own security")
class ConsoleTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static RunningApplication application;

    @EnableAutoConfiguration
    @Import(Payments.class)
    static class Application {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    user("payer"), user("vera", "console:look"), user("oscar", "ROLE_SEMEL_OPERATOR"));
        }

        private static UserDetails user(String name, String... authorities) {
            return User.withUsername(name)
                    .password("{noop}secret")
                    .authorities(authorities)
                    .build();
        }
    }

    @EnableAutoConfiguration
    static class Plain {}

    @RestController
    static class Payments {

        @PostMapping("/payments")
        String pay(@RequestBody String body) {
            return "paid";
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.withSecurity(
                Application.class,
                "--semel.store=memory:",
                "--semel.unmatched=required",
                "--semel.console.enabled=true",
                "--semel.console.viewer=console:look,ROLE_AUDITOR");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static HttpRequest.Builder request(String user, String path) {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(application.uri(path))
                .header("Authorization", "Basic " + credentials)
                .header("Content-Type", "application/json");
    }

    private static HttpResponse<String> post(String user, String path, String body) throws Exception {
        return CLIENT.send(
                request(user, path)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String user, String path) throws Exception {
        return CLIENT.send(request(user, path).GET().build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void roles_come_from_authorities_and_a_user_without_one_sees_nothing() throws Exception {
        assertThat(get("payer", "/semel/api/v1/figures").statusCode()).isEqualTo(401);
        assertThat(get("vera", "/semel/api/v1/session").body())
                .contains("\"name\":\"vera\"", "\"role\":\"viewer\"", "\"authentication\":\"application\"");
        assertThat(get("oscar", "/semel/api/v1/session").body()).contains("\"role\":\"operator\"");
        assertThat(post("vera", "/semel/api/v1/records/search", "{}").statusCode())
                .isEqualTo(200);
        assertThat(CLIENT.send(
                                HttpRequest.newBuilder(application.uri("/semel/console/"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
        assertThat(get("payer", "/semel/console/").statusCode()).isEqualTo(200);
    }

    @Test
    void it_shows_the_traffic_and_the_routes_of_the_application_and_is_read_only() throws Exception {
        HttpRequest payment = request("payer", "/payments")
                .header("Idempotency-Key", "order-1")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(CLIENT.send(payment, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        assertThat(post("vera", "/semel/api/v1/records/search", "{\"scope\":\"payer\"}")
                        .body())
                .contains("\"key\":\"order-1\"", "\"state\":\"completed\"");
        assertThat(get("vera", "/semel/api/v1/figures").body()).contains("\"live\":true", "\"claimMs\"");
        assertThat(get("vera", "/semel/api/v1/operations").statusCode()).isEqualTo(200);
        assertThat(post("oscar", "/semel/api/v1/unknown/requeue", "{}").body()).contains("\"code\":\"read_only\"");
    }

    @Test
    void figures_stream() throws Exception {
        HttpResponse<InputStream> response = CLIENT.send(
                request("vera", "/semel/api/v1/figures/stream").GET().build(),
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

    @Test
    void without_security_no_request_gets_in_whatever_it_claims_to_be() throws Exception {
        try (RunningApplication open = RunningApplication.plain(
                Plain.class, "--semel.store=memory:", "--semel.console.enabled=true", "--semel.console.write=true")) {
            for (String path : List.of("/session", "/figures", "/figures/stream", "/operations")) {
                HttpRequest request = HttpRequest.newBuilder(open.uri("/semel/api/v1" + path))
                        .header("Authorization", "Basic YWRtaW46c2VjcmV0")
                        .header("X-Forwarded-User", "admin")
                        .header("Cookie", "semel-session=chosen; JSESSIONID=chosen")
                        .build();
                HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
                if (path.equals("/session")) {
                    assertThat(response.body()).contains("\"authenticated\":false");
                } else {
                    assertThat(response.statusCode()).as(path).isEqualTo(401);
                }
            }
        }
    }

    @Test
    void it_is_not_there_unless_enabled() throws Exception {
        try (RunningApplication without = RunningApplication.plain(Plain.class, "--semel.store=memory:")) {
            HttpResponse<String> response = CLIENT.send(
                    HttpRequest.newBuilder(without.uri("/semel/api/v1/session")).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(404);
        }
    }
}
