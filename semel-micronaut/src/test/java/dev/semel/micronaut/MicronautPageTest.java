package dev.semel.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.http.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about Micronaut")
class MicronautPageTest {

    private ApplicationContext context;
    private int port;

    @BeforeEach
    void start() {
        context = ApplicationContext.builder()
                .properties(Map.of(
                        "application", "payments", "micronaut.server.host", "127.0.0.1", "micronaut.server.port", -1))
                .start();
        port = context.getBean(EmbeddedServer.class).start().getPort();
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private Wire.Reply pay(String path) {
        return new Wire.Request("POST", path)
                .key("order-42")
                .header("X-Tenant", "acme")
                .json("{}")
                .send(port);
    }

    @Test
    void shows_code_that_is_compiled_here() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/semel/micronaut/Payments.java"))
                .replaceAll("static |@Requires.*", "");
        Matcher snippet = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/how-to/micronaut.md")));
        assertThat(snippet.find()).isTrue();
        assertThat(bare(source)).contains(bare(snippet.group(1)));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void shows_an_application_that_replays() {
        Wire.Reply first = pay("/payments");
        Wire.Reply second = pay("/payments");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text()).isEqualTo("payment 1 of {}");
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
    }

    @Test
    void says_that_controllers_may_return_objects_that_become_json() {
        Wire.Reply first = payForTea();
        Wire.Reply second = payForTea();

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text()).contains("\"payment\":1").contains("\"item\":\"tea\"");
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
    }

    private Wire.Reply payForTea() {
        return new Wire.Request("POST", "/payments/json")
                .key("order-43")
                .header("X-Tenant", "acme")
                .json("{\"item\":\"tea\"}")
                .send(port);
    }

    @Test
    void says_that_controllers_may_answer_later() {
        Wire.Reply first = pay("/payments/later");

        assertThat(first.text()).isEqualTo("payment 1");
        assertThat(pay("/payments/later").essence()).isEqualTo(first.essence());
    }

    @Test
    void says_that_a_stream_leaves_the_outcome_unknown() {
        assertThat(pay("/payments/streamed").text()).contains("idempotency_outcome_unknown");
        assertThat(pay("/payments/streamed").text()).contains("idempotency_outcome_unknown");
    }

    @Test
    void says_that_requests_without_a_route_use_up_no_key() {
        assertThat(pay("/payments/nowhere").status()).isEqualTo(404);
        assertThat(pay("/payments").status()).isEqualTo(201);
    }

    @Test
    void says_that_transactions_are_refused_at_start() {
        RoutePolicy policy =
                RoutePolicy.of(Operation.named("pay")).inTransaction(work -> {}).build();
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            Routes routes =
                    Routes.builder().protect("POST", "/payments", policy).build();
            Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();

            assertThatThrownBy(() -> new SemelServerFilter(
                            gate, context.getBean(MessageBodyHandlerRegistry.class), Runnable::run))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("transaction");
        }
    }
}
