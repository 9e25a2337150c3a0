package dev.semel.spring;

import static dev.semel.spring.RunningApplication.isReplay;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.http.Headers;
import dev.semel.http.ResponseRule;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("Properties of an operation, as its clients see them")
class RequestPropertiesTest {

    private static final AtomicReference<Instant> NOW = new AtomicReference<>(Instant.parse("2026-11-18T12:00:00Z"));
    private static final String UUID_KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";

    private static RunningApplication application;

    /** A rule without a bean. */
    public static final class AgainOnTeapots implements ResponseRule {

        @Override
        public Optional<Failures> judge(int status, Headers headers) {
            return status == 418 ? Optional.of(Failures.RETRY) : Optional.empty();
        }
    }

    @EnableAutoConfiguration
    @RestController
    static class Shop {

        private final AtomicInteger executions = new AtomicInteger();

        /** Answers with the status that the request asks for, or fails. */
        @PostMapping("/{operation}")
        ResponseEntity<String> execute(
                @PathVariable String operation, @RequestHeader(name = "X-Status", defaultValue = "201") int status) {
            int number = executions.incrementAndGet();
            if (status == 0) {
                throw new UnsupportedOperationException("not at this time");
            }
            return ResponseEntity.status(status).body(operation + " " + number);
        }

        @Bean
        InstantSource clock() {
            return NOW::get;
        }

        @Bean
        ResponseRule conflictsAreFree() {
            return (status, headers) -> status == 409 ? Optional.of(Failures.RETRY) : Optional.empty();
        }

        @Bean
        Failures.Rule unsupportedIsFree() {
            return failure ->
                    failure instanceof UnsupportedOperationException ? Optional.of(Failures.RETRY) : Optional.empty();
        }

        /** The caller is who the header says. */
        @Bean
        FilterRegistrationBean<Filter> users() {
            FilterRegistrationBean<Filter> users = new FilterRegistrationBean<>((request, response, chain) -> {
                HttpServletRequest http = (HttpServletRequest) request;
                String user = http.getHeader("X-User");
                chain.doFilter(
                        new HttpServletRequestWrapper(http) {
                            @Override
                            public @Nullable Principal getUserPrincipal() {
                                return user == null ? null : () -> user;
                            }
                        },
                        response);
            });
            users.setOrder(0);
            return users;
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.plain(
                Shop.class,
                "semel.store=memory:",
                "semel.operations.strict.match=POST /strict",
                "semel.operations.strict.strict-keys=true",
                "semel.operations.uuid.match=POST /uuid",
                "semel.operations.uuid.key-rules.uuid=true",
                "semel.operations.long.match=POST /long",
                "semel.operations.long.key-rules.min-length=16",
                "semel.operations.short.match=POST /short",
                "semel.operations.short.key-rules.max-length=4",
                "semel.operations.subscribe.match=POST /subscribe",
                "semel.operations.subscribe.key=content",
                "semel.operations.subscribe.key-user-action=subscribe",
                "semel.operations.transfer.match=POST /transfer",
                "semel.operations.transfer.key-user-action=transfer",
                "semel.operations.transfer.key-rules.uuid=true",
                "semel.operations.report.match=POST /report",
                "semel.operations.report.key=content",
                "semel.operations.report.key-time-window=24h",
                "semel.operations.report.retention=2d",
                "semel.operations.gone.match=POST /gone",
                "semel.operations.gone.not-executed-on=410,429",
                "semel.operations.all.match=POST /all",
                "semel.operations.all.not-executed-on=",
                "semel.operations.by-bean.match=POST /by-bean",
                "semel.operations.by-bean.response-rule=bean:conflictsAreFree",
                "semel.operations.by-class.match=POST /by-class",
                "semel.operations.by-class.response-rule=class:" + AgainOnTeapots.class.getName(),
                "semel.operations.ruled.match=POST /ruled",
                "semel.operations.ruled.failure-rule=bean:unsupportedIsFree",
                "semel.operations.plain.match=POST /plain");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static String newKey() {
        return UUID.randomUUID().toString();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            strict, abcdefgh, 400
            strict, "abcdefgh", 201
            uuid, order-42, 400
            uuid, 8e03978e-40d5-43dd-bc93-6894a57f9324, 201
            long, fifteen-letters, 400
            long, sixteen--letters, 201
            short, abcde, 400
            short, abcd, 201
            plain, no-quotes, 201
            """)
    void require_more_of_keys(String operation, String key, int status) {
        assertThat(application.post("/" + operation, key, "{}").statusCode()).isEqualTo(status);
    }

    @Test
    void make_the_same_request_of_two_users_two_intents() {
        HttpResponse<String> ann = application.post("/subscribe", "unused", "{}", "X-User", "ann");
        HttpResponse<String> again = application.post("/subscribe", "unused", "{}", "X-User", "ann");
        HttpResponse<String> bob = application.post("/subscribe", "unused", "{}", "X-User", "bob");

        assertThat(again.body()).isEqualTo(ann.body());
        assertThat(isReplay(again)).isTrue();
        assertThat(bob.body()).isNotEqualTo(ann.body());
        assertThat(application.post("/subscribe", "unused", "{}").statusCode()).isEqualTo(400);
    }

    @Test
    void apply_rules_to_the_key_of_the_client_and_not_to_what_is_made_of_it() {
        assertThat(application.post("/transfer", "short", "{}", "X-User", "ann").statusCode())
                .isEqualTo(400);
        HttpResponse<String> first = application.post("/transfer", UUID_KEY, "{}", "X-User", "ann");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(isReplay(application.post("/transfer", UUID_KEY, "{}", "X-User", "ann")))
                .isTrue();
    }

    @Test
    void make_the_same_request_a_new_intent_in_the_next_window() {
        String noon = application.post("/report", "unused", "{}").body();
        NOW.set(Instant.parse("2026-11-18T23:59:59Z"));
        assertThat(application.post("/report", "unused", "{}").body()).isEqualTo(noon);
        NOW.set(Instant.parse("2026-11-19T00:00:00Z"));
        assertThat(application.post("/report", "unused", "{}").body()).isNotEqualTo(noon);
    }

    @ParameterizedTest
    @CsvSource({
        "plain, 429, true",
        "plain, 410, false",
        "gone, 410, true",
        "gone, 429, true",
        "gone, 403, false",
        "all, 429, false",
        "by-bean, 409, true",
        "by-bean, 429, true",
        "by-bean, 404, false",
        "by-class, 418, true",
        "by-class, 409, false",
        "plain, 0, false",
        "ruled, 0, true",
    })
    void say_which_responses_and_exceptions_free_the_key(String operation, String status, boolean isFree) {
        String key = newKey();
        application.post("/" + operation, key, "{}", "X-Status", status);
        HttpResponse<String> retry = application.post("/" + operation, key, "{}", "X-Status", "201");

        assertThat(isReplay(retry)).isEqualTo(!isFree);
        assertThat(retry.statusCode() == 201).isEqualTo(isFree);
    }
}
