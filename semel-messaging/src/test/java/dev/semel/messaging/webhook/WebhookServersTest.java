package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.webhook.servlet.WebhookServlet;
import dev.semel.messaging.webhook.spring.WebhookFunction;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.ServletRequestPathUtils;

@DisplayName("A webhook receiver over HTTP")
class WebhookServersTest {

    private static final StandardWebhooks SENDER =
            StandardWebhooks.signedWith("whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz");

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
    private final WebhookReceiver receiver =
            WebhookReceiver.of(semel, "billing", SENDER).maxBytes(100).build();
    private final AtomicInteger effects = new AtomicInteger();
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    private void start(Servlet servlet) throws Exception {
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(servlet), "/*");
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        semel.close();
    }

    private HttpResponse<String> post(Map<String, String> headers, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/webhooks/billing"))
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, String> signed(String id, String body) {
        return SENDER.sign(id, Instant.now(), body.getBytes(UTF_8));
    }

    private void handle(WebhookEvent event) {
        if (event.id().equals("busy")) {
            throw new IllegalStateException("no database");
        }
        effects.incrementAndGet();
    }

    private void behavesAsAReceiver() throws Exception {
        assertThat(post(signed("e1", "{\"ü\":1}"), "{\"ü\":1}").body()).isEqualTo("handled");
        HttpResponse<String> duplicate = post(signed("e1", "{\"ü\":1}"), "{\"ü\":1}");
        assertThat(duplicate.statusCode()).isEqualTo(200);
        assertThat(duplicate.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
        assertThat(effects).hasValue(1);

        HttpResponse<String> forged = post(signed("e2", "{}"), "{ }");
        assertThat(forged.statusCode()).isEqualTo(401);
        assertThat(forged.body()).isEqualTo("not verified");
        assertThat(post(signed("e3", "{}"), "x".repeat(101)).statusCode()).isEqualTo(413);
        assertThat(post(signed("busy", "{}"), "{}").statusCode()).isEqualTo(500);
        semel.close();
        HttpResponse<String> down = post(signed("e4", "{}"), "{}");
        assertThat(down.statusCode()).isEqualTo(503);
        assertThat(down.headers().firstValue("Retry-After")).contains("5");
        assertThat(effects).hasValue(1);
    }

    @Test
    void works_as_a_servlet() throws Exception {
        start(new WebhookServlet(receiver, (event, attempt) -> handle(event)));
        behavesAsAReceiver();
    }

    @Test
    void works_as_a_route_of_spring_mvc() throws Exception {
        RouterFunction<ServerResponse> route = RouterFunctions.route()
                .POST("/webhooks/billing", new WebhookFunction(receiver, (event, attempt) -> handle(event)))
                .build();
        start(new Routed(route));
        behavesAsAReceiver();
    }

    /** Dispatches a route like a dispatcher servlet, without an application context. */
    private static final class Routed extends HttpServlet {

        private static final List<HttpMessageConverter<?>> CONVERTERS = List.of(new StringHttpMessageConverter());

        private final transient RouterFunction<ServerResponse> route;

        Routed(RouterFunction<ServerResponse> route) {
            this.route = route;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
            ServletRequestPathUtils.parseAndCache(request);
            ServerRequest routed = ServerRequest.create(request, CONVERTERS);
            try {
                ServerResponse answer = route.route(routed).orElseThrow().handle(routed);
                answer.writeTo(request, response, () -> CONVERTERS);
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }
    }
}
