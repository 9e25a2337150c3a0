package dev.semel.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.http.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about the JDK's server")
class JdkServerPageTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final AtomicInteger number = new AtomicInteger();

    private final HttpHandler payments = exchange -> {
        byte[] answer = ("{\"payment\":" + number.incrementAndGet() + "}").getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
        }
    };

    private final Authenticator authenticator = new BasicAuthenticator("shop") {
        @Override
        public boolean checkCredentials(String user, String password) {
            return password.equals("secret of " + user);
        }
    };

    private void configure(HttpServer server, SemelEngine semel) {
        Routes routes = Routes.builder()
                .protect(
                        "POST",
                        "/payments",
                        RoutePolicy.of(Operation.named("create-payment").retention(Retention.PAYMENT))
                                .build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();
        server.createContext("/payments", new SemelHttpHandler(gate, payments)).setAuthenticator(authenticator);
        server.createContext("/idempotency/status", SemelHttpHandler.status(gate))
                .setAuthenticator(authenticator);
        server.setExecutor(Executors.newFixedThreadPool(32));
    }

    private static Wire.Request of(String user, Wire.Request request) {
        String credentials = user + ":secret of " + user;
        return request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes()));
    }

    private static Wire.Request payment() {
        return new Wire.Request("POST", "/payments").key("order-42").json("{\"amount\":100}");
    }

    @Test
    void has_code_that_is_compiled_here() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/semel/http/jdk/JdkServerPageTest.java"));
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("../docs/how-to/jdk-server.md")));
        assertThat(snippet.find()).isTrue();
        assertThat(bare(source)).contains(bare(snippet.group(1)));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void shows_an_application_that_replays_to_the_caller_and_to_no_other() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            configure(server, semel);
            server.start();
            int port = server.getAddress().getPort();
            Wire.Reply first = of("alice", payment()).send(port);
            Wire.Reply second = of("alice", payment()).send(port);

            assertThat(first.text()).isEqualTo("{\"payment\":1}");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(payment().send(port).status()).isEqualTo(401);
            assertThat(of("bob", payment()).send(port).text()).isEqualTo("{\"payment\":2}");
            Wire.Request status = new Wire.Request("GET", "/idempotency/status").key("order-42");
            assertThat(of("alice", status).send(port).text()).isEqualTo("{\"payment\":1}");
        } finally {
            server.stop(0);
            ((ExecutorService) server.getExecutor()).shutdownNow();
        }
    }
}
