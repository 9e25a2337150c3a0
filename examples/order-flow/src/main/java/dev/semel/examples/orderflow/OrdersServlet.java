package dev.semel.examples.orderflow;

import dev.semel.http.servlet.SemelFilter;
import dev.semel.messaging.outbox.Outbox;
import dev.semel.messaging.outbox.OutboxMessage;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The API of orders.
 *
 * <ul>
 *   <li>{@code POST /orders} needs a key, and runs in the transaction in which the filter has claimed it: the order, the message
 *       that announces it and the recorded answer commit together, or none of them does.
 *   <li>{@code PUT /orders/ID/status} needs no key: setting a status twice is the same as once.
 *   <li>{@code GET /orders/ID} returns the order and every status that it has had.
 * </ul>
 */
final class OrdersServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private static final JsonMapper JSON = new JsonMapper();

    private final transient DataSource database;
    private final transient Orders orders;

    OrdersServlet(DataSource database, Orders orders) {
        this.database = database;
        this.orders = orders;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        Optional<JsonNode> body = read(request);
        String customer = body.map(json -> json.path("customer").asString("")).orElse("");
        String item = body.map(json -> json.path("item").asString("")).orElse("");
        if (customer.isBlank() || item.isBlank()) {
            answer(response, 400, Map.of("error", "send {\"customer\": \"MAIL ADDRESS\", \"item\": \"WHAT\"}"));
            return;
        }
        Connection connection = SemelFilter.connection(request).orElseThrow();
        // The same on every attempt: it identifies the order in the table, and the message for its consumers.
        String key = SemelFilter.attempt(request).orElseThrow().downstreamKey("order");
        try {
            Placement placement = orders.place(connection, key, customer, item);
            if (!(placement instanceof Placement.Placed placed)) {
                answer(response, 409, Map.of("error", "this key has placed another order before"));
                return;
            }
            if (placed.isNew()) {
                Outbox.add(
                        connection,
                        new OutboxMessage(OrderFlow.TOPIC, customer, key, JSON.writeValueAsBytes(placed.order())));
            }
            response.setHeader("Location", "/orders/" + placed.order().orderId());
            answer(response, 201, placed.order());
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        List<String> path =
                List.of(Optional.ofNullable(request.getPathInfo()).orElse("").split("/"));
        Optional<OrderStatus> to = read(request)
                .flatMap(json -> OrderStatus.ofLabel(json.path("status").asString("")));
        if (path.size() != 3 || !path.get(2).equals("status") || to.isEmpty()) {
            answer(response, 400, Map.of("error", "PUT {\"status\": \"shipped\"} to /orders/ID/status"));
            return;
        }
        try {
            Move move = Transactions.run(database, connection -> orders.move(connection, path.get(1), to.get()));
            if (move instanceof Move.Made made) {
                answer(response, 200, made.order());
            } else if (move instanceof Move.Impossible impossible) {
                answer(
                        response,
                        409,
                        Map.of("error", "the order is " + impossible.order().status()));
            } else {
                answer(response, 404, Map.of("error", "no such order"));
            }
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }

    /** An order, and every status that it has had. */
    private record Story(Order order, List<String> history) {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String orderId = Optional.ofNullable(request.getPathInfo()).orElse("/").substring(1);
        try (Connection connection = database.getConnection()) {
            Optional<Order> order = orders.find(connection, orderId);
            if (order.isEmpty()) {
                answer(response, 404, Map.of("error", "no such order"));
            } else {
                answer(response, 200, new Story(order.get(), orders.history(connection, orderId)));
            }
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }

    /** The body; empty when it is not JSON. */
    private static Optional<JsonNode> read(HttpServletRequest request) throws IOException {
        try {
            return Optional.of(JSON.readTree(request.getInputStream().readAllBytes()));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static void answer(HttpServletResponse response, int status, Object body) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.getOutputStream().write(JSON.writeValueAsBytes(body));
    }
}
