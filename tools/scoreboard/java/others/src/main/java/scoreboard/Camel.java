package scoreboard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;

/**
 * Apache Camel's idempotent consumer with its memory repository, behind the JDK's HTTP server. It drops duplicates; the HTTP side
 * answers 409 to what was dropped.
 */
public class Camel {

    public static void main(String[] args) throws Exception {
        DefaultCamelContext camel = new DefaultCamelContext();
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:pay")
                        .idempotentConsumer(header("Idempotency-Key"), MemoryIdempotentRepository.memoryIdempotentRepository(100_000))
                        .process(exchange -> exchange.getMessage()
                                .setBody("{\"id\":\"" + Payments.pay().get("id") + "\"}"));
            }
        });
        camel.start();
        ProducerTemplate template = camel.createProducerTemplate();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 128);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/effects", exchange -> answer(exchange, 200, String.valueOf(Payments.COUNT.get())));
        server.createContext("/payments", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            if (!exchange.getRequestURI().getPath().equals("/payments") || key == null || !body.endsWith("}")) {
                answer(exchange, 400, "{}");
            } else if (!exchange.getRequestMethod().equals("POST")) {
                answer(exchange, 405, "{}");
            } else {
                Object result = template.requestBodyAndHeader("direct:pay", body, "Idempotency-Key", key);
                boolean executed = String.valueOf(result).startsWith("{\"id\"");
                answer(exchange, executed ? 201 : 409, executed ? String.valueOf(result) : "{}");
            }
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
