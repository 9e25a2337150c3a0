package dev.semel.spring.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.http.Gate;
import dev.semel.http.reactive.SemelWebFilter;
import dev.semel.spring.Idempotent;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelReactiveAutoConfiguration;
import dev.semel.spring.SemelServletAutoConfiguration;
import jakarta.servlet.Servlet;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.servlet.DispatcherServlet;
import reactor.core.publisher.Mono;

@DisplayName("A WebFlux application with the starter")
class ReactiveWiringTest {

    @SpringBootApplication
    @RestController
    static class Orders {

        private final AtomicInteger executions = new AtomicInteger();

        @PostMapping("/orders/{id}")
        @Idempotent(operation = "change-order")
        Mono<String> change(@PathVariable String id, Attempt attempt) {
            return Mono.just(attempt.operation().name() + " " + id + " " + executions.incrementAndGet());
        }

        @PostMapping("/form")
        Mono<String> form(ServerWebExchange exchange) {
            return exchange.getFormData().map(form -> form.get("name") + " " + executions.incrementAndGet());
        }

        @PostMapping("/denied")
        Mono<String> denied() {
            executions.incrementAndGet();
            return Mono.error(new AccessDeniedException("not you"));
        }

        @PostMapping("/users")
        Mono<String> user() {
            return ReactiveSecurityContextHolder.getContext()
                    .map(context -> context.getAuthentication().getName() + " " + executions.incrementAndGet());
        }
    }

    static class Users {

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("ann").password("{noop}a").build(),
                    User.withUsername("bob").password("{noop}b").build());
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchange -> exchange.anyExchange().authenticated())
                    .httpBasic(basic -> {})
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }
    }

    @SpringBootApplication
    @Import(Users.class)
    static class SecuredOrders extends Orders {}

    private static String basic(String user) {
        return "Basic "
                + Base64.getEncoder().encodeToString((user + ":" + user.charAt(0)).getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void finds_the_idempotent_methods_of_controllers_and_gives_them_their_attempt() {
        try (ReactiveApplication application = ReactiveApplication.plain(
                Orders.class, "semel.operations.change-order.key=required", "semel.unmatched=ignored")) {
            assertThat(application.post("/orders/7", "k", "{}").body()).isEqualTo("change-order 7 1");
            assertThat(application.post("/orders/7", "k", "{}").body()).isEqualTo("change-order 7 1");
            assertThat(application.post("/orders/8", "k", "{}").statusCode()).isEqualTo(422);
        }
    }

    @Test
    void keeps_the_keys_of_its_users_apart_and_shows_them_to_handlers() {
        try (ReactiveApplication application = ReactiveApplication.withSecurity(SecuredOrders.class)) {
            HttpResponse<String> ann = application.post("/users", "k", "{}", "Authorization", basic("ann"));
            HttpResponse<String> bob = application.post("/users", "k", "{\"b\":1}", "Authorization", basic("bob"));
            HttpResponse<String> again = application.post("/users", "k", "{}", "Authorization", basic("ann"));

            assertThat(ann.body()).isEqualTo("ann 1");
            assertThat(bob.body()).isEqualTo("bob 2");
            assertThat(again.body()).isEqualTo("ann 1");
            assertThat(ReactiveApplication.isReplay(again)).isTrue();
            assertThat(again.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
            assertThat(application.post("/users", "k", "{}").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void releases_the_key_of_a_request_that_Spring_Security_denies() {
        try (ReactiveApplication application = ReactiveApplication.plain(Orders.class)) {
            application.post("/denied", "denied", "{}");
            HttpResponse<String> second = application.post("/denied", "denied", "{}");

            assertThat(ReactiveApplication.isReplay(second)).isFalse();
            assertThat(application.bean(Orders.class).executions).hasValue(2);
        }
    }

    @Test
    void still_sees_a_form_that_a_filter_before_has_parsed() {
        try (ReactiveApplication application =
                ReactiveApplication.plain(Orders.class, "spring.webflux.hiddenmethod.filter.enabled=true")) {
            assertThat(application
                            .send(form(application, "name=a%20b&name=%C3%A9"))
                            .body())
                    .isEqualTo("[a b, é] 1");
            assertThat(application
                            .send(form(application, "name=a+b&name=%C3%A9"))
                            .body())
                    .isEqualTo("[a b, é] 1");
            assertThat(application.send(form(application, "name=other")).statusCode())
                    .isEqualTo(422);
        }
    }

    private static HttpRequest.Builder form(ReactiveApplication application, String body) {
        return application
                .request("/form", "Content-Type", "application/x-www-form-urlencoded", "Idempotency-Key", "form")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Test
    void refuses_at_start_what_only_a_servlet_application_can_do() {
        assertThatThrownBy(() -> ReactiveApplication.plain(
                                Orders.class, "semel.operations.change-order.transactional=true")
                        .close())
                .rootCause()
                .hasMessageContaining("semel.operations.change-order.transactional")
                .hasMessageContaining("reactive");
    }

    private static final AutoConfigurations OURS = AutoConfigurations.of(
            SemelAutoConfiguration.class, SemelServletAutoConfiguration.class, SemelReactiveAutoConfiguration.class);

    @Test
    void needs_no_servlets() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(OURS)
                .withBean(ServerCodecConfigurer.class, ServerCodecConfigurer::create)
                .withClassLoader(new FilteredClassLoader(
                        Servlet.class.getPackageName(), DispatcherServlet.class.getPackageName()))
                .withPropertyValues("semel.store=memory:")
                .run(context ->
                        assertThat(context).hasSingleBean(SemelWebFilter.class).hasSingleBean(Gate.class));
    }

    @Test
    void needs_no_webflux_where_there_are_servlets() {
        new WebApplicationContextRunner()
                .withConfiguration(OURS)
                .withClassLoader(
                        new FilteredClassLoader(DispatcherHandler.class.getPackageName(), Mono.class.getPackageName()))
                .withPropertyValues("semel.store=memory:")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(SemelWebFilter.class)
                        .hasSingleBean(Gate.class)
                        .hasBean("semelFilter"));
    }

    @Test
    void has_no_console_unless_enabled_and_one_that_lets_no_request_in_without_security() {
        try (ReactiveApplication open =
                ReactiveApplication.plain(Orders.class, "semel.console.enabled=true", "semel.console.write=true")) {
            for (String path : List.of("/figures", "/figures/stream", "/operations", "/doctor")) {
                assertThat(open.send(open.request("/semel/api/v1" + path, "Authorization", "Basic YWRtaW46c2VjcmV0"))
                                .statusCode())
                        .as(path)
                        .isEqualTo(401);
            }
        }
        try (ReactiveApplication without = ReactiveApplication.plain(Orders.class)) {
            assertThat(without.send(without.request("/semel/api/v1/session")).statusCode())
                    .isEqualTo(404);
        }
    }
}
