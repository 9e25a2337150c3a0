package dev.semel.examples.orderflow;

import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.TransactionRunner;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.servlet.SemelFilter;
import jakarta.servlet.DispatcherType;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import javax.sql.DataSource;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The HTTP server of the orders API. */
final class Shop implements AutoCloseable {

    /** How long a duplicate waits for the answer of a request in progress. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    static final Operation PLACE_ORDER =
            Operation.named("place-order").retention(Retention.ORDER).waitUpTo(MAX_WAIT);

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    Shop(SemelEngine semel, DataSource database, Orders orders, int port) throws Exception {
        RoutePolicy inOneTransaction = RoutePolicy.of(PLACE_ORDER)
                .inTransaction(TransactionRunner.on(database))
                .build();
        Routes routes =
                Routes.builder().protect("POST", "/orders", inOneTransaction).build();
        // The scope of the keys; a service with authentication takes it from the authenticated user.
        Gate gate =
                Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account")).build();
        ServletContextHandler context = new ServletContextHandler("/");
        context.addFilter(new FilterHolder(new SemelFilter(gate)), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new OrdersServlet(database, orders)), "/orders/*");
        connector.setHost("127.0.0.1");
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + connector.getLocalPort());
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("stopping the HTTP server failed", e);
        }
    }
}
