package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("I9: with Spring Security, only its owner gets a replay, and only while authorized")
class SecurityTest {

    private static RunningApplication application;
    private static InMemoryUserDetailsManager users;

    private final String key = UUID.randomUUID().toString();

    @EnableAutoConfiguration
    @EnableMethodSecurity
    @Import({Payments.class, Ledger.class})
    static class Application {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/open")
                            .permitAll()
                            .anyRequest()
                            .hasRole("PAYER"))
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager();
        }
    }

    @RestController
    static class Payments {

        private final AtomicInteger number = new AtomicInteger();
        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @PostMapping({"/payments", "/open"})
        String pay(@RequestBody String body) {
            return "payment " + number.incrementAndGet();
        }

        @PostMapping("/entries")
        String enter(@RequestBody String id) {
            return ledger.enter(id);
        }
    }

    @Service
    static class Ledger {

        private final AtomicInteger number = new AtomicInteger();

        @Idempotent(operation = "enter", key = "#id")
        @PreAuthorize("hasAuthority('ledger')")
        public String enter(String id) {
            return "entry " + number.incrementAndGet();
        }

        @Idempotent(operation = "note", key = "#id")
        public String note(String id) {
            return "note";
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.withSecurity(Application.class, "semel.store=memory:");
        users = application.bean(InMemoryUserDetailsManager.class);
        users.createUser(user("ann", "ROLE_PAYER", "ledger"));
        users.createUser(user("bob", "ROLE_PAYER", "ledger"));
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

    private HttpResponse<String> pay(String path, String user, String body) {
        String credentials =
                Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.US_ASCII));
        return application.post(path, key, body, "Authorization", "Basic " + credentials);
    }

    @Test
    void another_user_with_the_same_key_is_served_as_if_it_was_unused() {
        HttpResponse<String> ann = pay("/payments", "ann", "{}");
        HttpResponse<String> bob = pay("/payments", "bob", "{}");

        assertThat(bob.statusCode()).isEqualTo(200);
        assertThat(bob.body()).isNotEqualTo(ann.body());
        assertThat(RunningApplication.isReplay(bob)).isFalse();
        assertThat(pay("/payments", "ann", "{}").body()).isEqualTo(ann.body());
        assertThat(pay("/payments", "bob", "{\"other\":1}").statusCode()).isEqualTo(422);
    }

    @Test
    void a_user_who_may_no_longer_gets_no_replay() {
        users.createUser(user("eve", "ROLE_PAYER"));
        HttpResponse<String> allowed = pay("/payments", "eve", "{}");
        assertThat(allowed.statusCode()).isEqualTo(200);

        users.updateUser(user("eve", "ROLE_NONE"));
        HttpResponse<String> revoked = pay("/payments", "eve", "{}");
        assertThat(revoked.statusCode()).isEqualTo(403);
        assertThat(revoked.body()).doesNotContain(allowed.body());

        users.deleteUser("eve");
        assertThat(pay("/payments", "eve", "{}").statusCode()).isEqualTo(401);
    }

    @Test
    void a_key_of_an_anonymous_caller_is_refused() {
        HttpResponse<String> anonymous = application.post("/open", key, "{}");

        assertThat(anonymous.statusCode()).isEqualTo(400);
        assertThat(anonymous.body()).contains("idempotency_scope_missing");
    }

    @Test
    void a_method_is_authorized_before_it_is_replayed() {
        users.createUser(user("tom", "ROLE_PAYER", "ledger"));
        HttpResponse<String> first = pay("/entries", "tom", "e-1");
        assertThat(first.statusCode()).isEqualTo(200);

        users.updateUser(user("tom", "ROLE_PAYER"));
        HttpResponse<String> later = application.post(
                "/entries",
                UUID.randomUUID().toString(),
                "e-1",
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString("tom:tom".getBytes(StandardCharsets.US_ASCII)));
        assertThat(later.statusCode()).isEqualTo(403);
    }

    @Test
    void a_method_that_an_anonymous_caller_calls_must_name_the_owner_of_its_key() {
        assertThatThrownBy(() -> application.bean(Ledger.class).note("n-1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no user is authenticated, so its key has no owner; add scope = ");
    }
}
