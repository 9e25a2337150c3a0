package dev.semel.spring.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Intent.ReplayCheck;
import dev.semel.Scope;
import dev.semel.http.key.ScopeStrategy;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DisplayName("Before a replay in WebFlux, Spring Security's rules for the controller method")
class ReactiveReplayAuthorizationTest {

    private static final String SECRET = "SECRET-7";
    private static final Map<String, String> ROLES = new ConcurrentHashMap<>();
    private static final Set<String> BLOCKED = ConcurrentHashMap.newKeySet();

    private static ReactiveApplication application;

    private final String key = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @EnableReactiveMethodSecurity
    @Import(Payments.class)
    static class Application {

        @Bean
        ReactiveUserDetailsService users() {
            return name -> Mono.just(User.withUsername(name)
                    .password("{noop}" + name)
                    .roles(ROLES.getOrDefault(name, "NONE"))
                    .build());
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchange -> exchange.anyExchange().authenticated())
                    .httpBasic(basic -> {})
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }

        @Bean
        ScopeStrategy tenant() {
            return ScopeStrategy.fixed(Scope.of("acme"));
        }

        @Bean
        ReplayCheck notBlocked() {
            return ReplayCheck.of(replay -> !BLOCKED.contains(String.valueOf(replay.principal())));
        }
    }

    record Payment(String owner) {}

    @RestController
    static class Payments {

        @PostMapping("/mono")
        @PreAuthorize("hasRole('PAYER')")
        public Mono<String> mono(@RequestBody String body) {
            return Mono.just(SECRET);
        }

        @PostMapping("/flux")
        @PreAuthorize("hasRole('PAYER')")
        public Flux<String> flux(ServerHttpRequest request) {
            return Flux.just(SECRET);
        }

        @PostMapping("/accounts/{account}")
        @PreAuthorize("#account == authentication.name and #limit > 0 and #payment.owner() == authentication.name")
        public Mono<String> ofAccount(
                @PathVariable("account") String account,
                @RequestParam("limit") int limit,
                @RequestBody Payment payment) {
            return Mono.just(SECRET);
        }

        @PostMapping("/unresolved/{account}")
        @PreAuthorize("#account == authentication.name")
        public Mono<String> unresolved(@PathVariable("account") String account, @ModelAttribute Payment payment) {
            return Mono.just(SECRET);
        }

        @PostMapping("/{version}/payments")
        @PreAuthorize("hasRole('PAYER')")
        public Mono<String> ofVersion() {
            return Mono.just(SECRET);
        }

        /** Also a request for the status of a key is mapped to it, by Spring. */
        @GetMapping("/{*page}")
        public Mono<String> page() {
            return Mono.just("page");
        }

        @PostMapping("/open")
        public Mono<String> open() {
            return Mono.just(SECRET);
        }
    }

    @BeforeAll
    static void start() {
        application = ReactiveApplication.withSecurity(
                Application.class,
                "semel.operations.mono.match=POST /mono",
                "semel.operations.flux.match=POST /flux",
                "semel.operations.open.match=POST /open",
                "semel.operations.version.match=POST /v1/payments",
                "semel.operations.mono.refused-replay=not-found");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void allPay() {
        ROLES.clear();
        ROLES.putAll(Map.of("ann", "PAYER", "bob", "PAYER"));
    }

    private static String credentials(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.US_ASCII));
    }

    private HttpResponse<String> pay(String path, String user) {
        return pay(path, user, key);
    }

    private HttpResponse<String> pay(String path, String user, String withKey) {
        return application.post(path, withKey, "{\"owner\":\"ann\"}", "Authorization", credentials(user));
    }

    private HttpResponse<String> status(String user, String withKey) {
        return application.send(application
                .request("/idempotency/status", "Authorization", credentials(user), "Idempotency-Key", withKey)
                .GET());
    }

    private static void assertForbidden(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("idempotency_replay_forbidden").doesNotContain(SECRET);
        assertThat(ReactiveApplication.isReplay(response)).isFalse();
    }

    private static void assertReplayed(HttpResponse<String> response) {
        assertThat(response.body()).isEqualTo(SECRET);
        assertThat(ReactiveApplication.isReplay(response)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/flux", "/v1/payments"})
    void decide_by_the_role_that_the_caller_has_now(String path) {
        assertThat(pay(path, "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay(path, "ann"));
        assertReplayed(pay(path, "bob"));
        assertReplayed(status("bob", key));
        ROLES.remove("bob");
        assertForbidden(pay(path, "bob"));
        assertForbidden(status("bob", key));
        ROLES.remove("ann");
        assertForbidden(pay(path, "ann"));
    }

    @Test
    void do_not_tell_whether_a_key_was_used_where_the_answer_is_404() {
        assertThat(pay("/mono", "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay("/mono", "bob"));
        ROLES.remove("bob");
        String unused = UUID.randomUUID().toString();
        HttpResponse<String> used = pay("/mono", "bob");
        HttpResponse<String> fresh = pay("/mono", "bob", unused);
        assertThat(used.statusCode()).isEqualTo(404);
        assertThat(fresh.statusCode()).isEqualTo(404);
        assertThat(used.body()).isEqualTo(fresh.body());
        assertThat(used.headers().map().keySet())
                .isEqualTo(fresh.headers().map().keySet());
        assertThat(status("bob", key).statusCode()).isEqualTo(404);
        assertThat(status("bob", key).body()).isEqualTo(status("bob", unused).body());
    }

    @Test
    void see_path_variables_parameters_and_the_body() {
        assertThat(pay("/accounts/ann?limit=1", "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay("/accounts/ann?limit=1", "ann"));
        assertForbidden(pay("/accounts/ann?limit=1", "bob"));
    }

    @Test
    void refuse_where_an_argument_cannot_be_resolved() {
        assertThat(pay("/unresolved/ann", "ann").body()).isEqualTo(SECRET);
        assertForbidden(pay("/unresolved/ann", "ann"));
    }

    @Test
    void leave_methods_alone_that_they_do_not_concern_and_join_a_check_of_the_application() {
        assertThat(pay("/open", "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay("/open", "eve"));
        assertReplayed(status("eve", key));
        BLOCKED.add("bob");
        try {
            assertForbidden(pay("/open", "bob"));
            assertForbidden(status("bob", key));
        } finally {
            BLOCKED.clear();
        }
    }
}
