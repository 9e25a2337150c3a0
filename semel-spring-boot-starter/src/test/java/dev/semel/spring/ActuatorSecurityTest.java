package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

@DisplayName("An authenticated operator")
class ActuatorSecurityTest {

    private static final Identity RECORD = Identity.of("acme", "k-1");

    private RunningApplication application;
    private SemelEngine semel;

    /** Without a stereotype: the applications of other tests scan this package. */
    @EnableAutoConfiguration
    static class Secured {

        @Bean(destroyMethod = "")
        MemoryStore store() {
            return new MemoryStore();
        }

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }
    }

    @BeforeEach
    void start() {
        application = RunningApplication.withSecurity(
                Secured.class,
                OperatedApplication.EXPOSED,
                OperatedApplication.UNRESTRICTED,
                "spring.security.user.name=alice",
                "spring.security.user.password=wonderland");
        semel = application.bean(SemelEngine.class);
        Claim claim = semel.begin(
                Intent.of(Operation.named("create-payment"), Scope.of("acme"), Key.of("k-1"), new Fingerprint("v1:0")));
        ((Claim.Granted) claim)
                .attempt()
                .settle(new Outcome.Unknown("a test"))
                .toCompletableFuture()
                .join();
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private HttpRequest.Builder decision(String more) {
        String json = """
                {"scope":"acme","key":"k-1","verdict":"did-not-happen","evidence":"INC-812"%s}
                """.formatted(more);
        return HttpRequest.newBuilder(application.uri("/actuator/idempotency"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
    }

    private HttpResponse<String> asAlice(HttpRequest.Builder request) {
        byte[] login = "alice:wonderland".getBytes(StandardCharsets.UTF_8);
        return application.send(
                request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login)));
    }

    private State state() {
        return semel.find(RECORD).orElseThrow().state();
    }

    @Test
    void decides_in_their_own_name() {
        assertThat(asAlice(decision("")).statusCode()).isEqualTo(200);

        assertThat(semel.find(RECORD).orElseThrow().evidence())
                .hasFieldOrPropertyWithValue("source", "person:alice")
                .hasFieldOrPropertyWithValue("detail", "INC-812");
    }

    @Test
    void does_not_decide_in_the_name_of_another() {
        HttpResponse<String> refused = asAlice(decision(",\"by\":\"bob\""));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("leave by out");
        assertThat(state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void is_the_only_one_to_decide() {
        assertThat(application.send(decision(",\"by\":\"mallory\"")).statusCode())
                .isEqualTo(401);
        assertThat(state()).isEqualTo(State.UNKNOWN);
    }
}
