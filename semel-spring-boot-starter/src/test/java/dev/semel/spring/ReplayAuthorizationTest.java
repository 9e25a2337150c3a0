package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Intent.ReplayCheck;
import dev.semel.RefusedException;
import dev.semel.Scope;
import dev.semel.http.key.ScopeStrategy;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("Before a replay, Spring Security's rules for the controller method")
class ReplayAuthorizationTest {

    private static final String SECRET = "SECRET-7";
    private static final Set<String> BLOCKED = ConcurrentHashMap.newKeySet();

    private static RunningApplication application;
    private static InMemoryUserDetailsManager users;

    private final String key = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @EnableMethodSecurity(securedEnabled = true, jsr250Enabled = true)
    @Import({Payments.class, OnlyPayers.class, Ledger.class})
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
            return new InMemoryUserDetailsManager();
        }

        /** All accounts are of one tenant. */
        @Bean
        ScopeStrategy tenant() {
            return ScopeStrategy.fixed(Scope.of("acme"));
        }

        @Bean
        ReplayCheck notBlocked() {
            return ReplayCheck.of(replay -> {
                String caller = replay.request(MethodInvocation.class)
                        .map(call -> call.getMethod().getName())
                        .orElse(replay.principal());
                return !BLOCKED.contains(String.valueOf(caller));
            });
        }
    }

    record Payment(String owner, int amount) {}

    @RestController
    static class Payments {

        @PostMapping("/pre")
        @PreAuthorize("hasRole('PAYER')")
        public String pre(@RequestBody String body) {
            return SECRET;
        }

        @PostMapping("/secured")
        @Secured("ROLE_PAYER")
        public String secured(@RequestBody String body) {
            return SECRET;
        }

        @PostMapping("/accounts/{account}/{number}")
        @PreAuthorize("#account == authentication.name and #limit > 0 and #payment.owner() == authentication.name")
        public String ofAccount(
                @PathVariable("account") String account,
                @PathVariable("number") int number,
                @RequestParam("limit") int limit,
                @RequestBody Payment payment) {
            return SECRET;
        }

        @PostMapping("/hidden")
        @PreAuthorize("hasRole('PAYER')")
        public String hidden(@RequestBody String body) {
            return SECRET;
        }

        @PostMapping("/{version}/payments")
        @PreAuthorize("hasRole('PAYER')")
        public String ofVersion(@RequestBody String body) {
            return SECRET;
        }

        /** Also a request for the status of a key is mapped to it, by Spring. */
        @GetMapping("/{*page}")
        public String page() {
            return "page";
        }

        @PostMapping("/open")
        public String open(@RequestBody String body) {
            return SECRET;
        }
    }

    @RestController
    @PreAuthorize("hasRole('PAYER')")
    static class OnlyPayers {

        @PostMapping("/class")
        public String pay(@RequestBody String body) {
            return SECRET;
        }
    }

    @Service
    static class Ledger {

        @Idempotent(operation = "enter", key = "#id", scope = "'acme'")
        public String enter(String id) {
            return SECRET;
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.withSecurity(
                Application.class,
                "semel.store=memory:",
                "semel.near-cache.enabled=true",
                "semel.operations.pre.match=POST /pre",
                "semel.operations.secure.match=POST /secured",
                "semel.operations.of-class.match=POST /class",
                "semel.operations.open.match=POST /open",
                "semel.operations.version.match=POST /v1/payments",
                "semel.operations.hide.match=POST /hidden",
                "semel.operations.hide.refused-replay=not-found");
        users = application.bean(InMemoryUserDetailsManager.class);
        for (String name : new String[] {"ann", "bob", "eve"}) {
            users.createUser(user(name, "ROLE_PAYER"));
        }
        users.updateUser(user("eve", "ROLE_NONE"));
    }

    private static UserDetails user(String name, String... authorities) {
        return User.withUsername(name)
                .password("{noop}" + name)
                .authorities(authorities)
                .build();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static String credentials(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.US_ASCII));
    }

    private HttpResponse<String> pay(String path, String user) {
        return pay(path, user, key, "{\"owner\":\"ann\",\"amount\":1}");
    }

    private HttpResponse<String> pay(String path, String user, String withKey, String body) {
        return application.post(path, withKey, body, "Authorization", credentials(user));
    }

    private HttpResponse<String> status(String user, String withKey) {
        return application.send(HttpRequest.newBuilder(application.uri("/idempotency/status"))
                .header("Idempotency-Key", withKey)
                .header("Authorization", credentials(user))
                .GET());
    }

    private static void assertForbidden(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("idempotency_replay_forbidden").doesNotContain(SECRET);
        assertThat(RunningApplication.isReplay(response)).isFalse();
    }

    private static void assertReplayed(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(SECRET);
        assertThat(RunningApplication.isReplay(response)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pre", "/secured", "/class", "/v1/payments"})
    void decide_by_the_role_that_the_caller_has_now(String path) {
        assertThat(pay(path, "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay(path, "ann"));
        assertReplayed(pay(path, "bob"));
        assertReplayed(status("bob", key));

        assertForbidden(pay(path, "eve"));
        assertForbidden(status("eve", key));
        users.createUser(user("tom", "ROLE_PAYER"));
        try {
            assertReplayed(pay(path, "tom"));
            users.updateUser(user("tom", "ROLE_NONE"));
            assertForbidden(pay(path, "tom"));
            assertForbidden(status("tom", key));
        } finally {
            users.deleteUser("tom");
        }
    }

    @Test
    void see_path_variables_parameters_and_the_body() {
        String path = "/accounts/ann/7?limit=5";
        assertThat(pay(path, "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay(path, "ann"));
        assertForbidden(pay(path, "bob"));
    }

    @Test
    void refuse_the_status_where_they_refer_to_arguments() {
        pay("/accounts/ann/7?limit=5", "ann");
        assertForbidden(status("ann", key));
    }

    @Test
    void leave_methods_alone_that_they_do_not_concern() {
        assertThat(pay("/open", "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay("/open", "eve"));
        assertReplayed(status("eve", key));
    }

    @Test
    void do_not_tell_whether_a_key_was_used_where_the_answer_is_404() {
        assertThat(pay("/hidden", "ann").body()).isEqualTo(SECRET);
        assertReplayed(pay("/hidden", "bob"));
        String unused = UUID.randomUUID().toString();
        HttpResponse<String> used = pay("/hidden", "eve");
        HttpResponse<String> fresh = pay("/hidden", "eve", unused, "{}");
        assertThat(used.statusCode()).isEqualTo(404);
        assertThat(fresh.statusCode()).isEqualTo(404);
        assertThat(used.body()).isEqualTo(fresh.body());
        assertThat(used.headers().map().keySet())
                .isEqualTo(fresh.headers().map().keySet());
        assertThat(status("eve", key).statusCode()).isEqualTo(404);
        assertThat(status("eve", key).body()).isEqualTo(status("eve", unused).body());
    }

    @Test
    void do_not_apply_to_idempotent_methods_whose_results_the_check_of_the_application_guards() {
        Ledger ledger = application.bean(Ledger.class);
        assertThat(ledger.enter(key)).isEqualTo(SECRET);
        assertThat(ledger.enter(key)).isEqualTo(SECRET);
        BLOCKED.add("enter");
        try {
            assertThatThrownBy(() -> ledger.enter(key))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("may not have its result")
                    .hasMessageNotContaining(SECRET);
        } finally {
            BLOCKED.remove("enter");
        }
    }

    @Test
    void are_joined_by_a_check_of_the_application() {
        pay("/pre", "ann");
        BLOCKED.add("bob");
        try {
            assertForbidden(pay("/pre", "bob"));
            assertForbidden(status("bob", key));
            assertReplayed(pay("/pre", "ann"));
        } finally {
            BLOCKED.remove("bob");
        }
    }
}
