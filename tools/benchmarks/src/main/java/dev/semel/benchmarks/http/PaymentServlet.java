package dev.semel.benchmarks.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Takes a payment: reads the JSON of the request, and answers with that of the payment, a few hundred bytes. */
final class PaymentServlet extends HttpServlet {

    static final String PATH = "/payments";

    private static final JsonMapper JSON = new JsonMapper();

    private final AtomicLong lastPayment = new AtomicLong();

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        JsonNode order = JSON.readTree(request.getInputStream());
        long number = lastPayment.incrementAndGet();
        ObjectNode payment = JSON.createObjectNode()
                .put("id", "payment-" + number)
                .put("state", "accepted")
                .put("account", order.path("account").asString(""))
                .put("amount", order.path("amount").asLong(0))
                .put("currency", order.path("currency").asString(""))
                .put("items", order.path("items").size())
                .put("provider", "example-bank")
                .put("statement", "Order of " + order.path("items").size() + " articles, thank you for shopping");
        byte[] body = JSON.writeValueAsBytes(payment);
        response.setStatus(HttpServletResponse.SC_CREATED);
        response.setContentType("application/json");
        response.setHeader("Location", PATH + "/" + number);
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
