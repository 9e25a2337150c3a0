package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.http.Wire;
import jakarta.ws.rs.core.Application;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about Jakarta REST")
class JaxrsPageTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();

    @AfterEach
    void close() {
        semel.close();
    }

    private Set<Object> singletons() {
        Routes routes = Routes.builder()
                .protect(
                        "POST",
                        "/payments",
                        RoutePolicy.of(Operation.named("create-payment").retention(Retention.PAYMENT))
                                .build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();
        Set<Object> singletons = Set.of(new PaymentResource(), new IdempotencyStatus(), new SemelFeature(gate));
        return singletons;
    }

    @Test
    void has_code_that_is_compiled_here() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/semel/jaxrs/JaxrsPageTest.java"));
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("../docs/how-to/jax-rs.md")));
        assertThat(snippet.find()).isTrue();
        assertThat(bare(source)).contains(bare(snippet.group(1)));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void shows_an_application_that_replays() throws Exception {
        Set<Object> all = new HashSet<>(singletons());
        all.add(new TestServer.Authentication());
        TestServer.Started server = Servers.jerseyOnJetty(new Application() {
            @Override
            @SuppressWarnings("deprecation")
            public Set<Object> getSingletons() {
                return all;
            }
        });
        try (AutoCloseable stop = server.stop()) {
            Wire.Request pay = new Wire.Request("POST", "/payments").key("k").json("{}");
            assertThat(pay.send(server.port()).replayed()).isFalse();
            assertThat(pay.send(server.port()).replayed()).isTrue();
        }
    }

    @Test
    void says_that_transactions_are_refused_at_start() {
        Routes routes = Routes.builder()
                .protect(
                        "POST",
                        "/payments",
                        RoutePolicy.of(Operation.named("pay"))
                                .inTransaction(work -> {})
                                .build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();

        assertThatThrownBy(() -> new SemelFeature(gate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transaction");
    }
}
