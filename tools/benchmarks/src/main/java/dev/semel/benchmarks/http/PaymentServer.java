package dev.semel.benchmarks.http;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.jdbc.Stores;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Objects;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/** A Jetty with one endpoint that takes payments, behind SemelEngine's filter or not. */
final class PaymentServer {

    /** What the suite says when records of a store in memory may go. */
    static final String FORGET = "forget";

    private PaymentServer() {}

    /** Reads the store's URI, empty for no filter; answers with the port; and ends when there is no more to read. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = System.out;
        String store = Objects.requireNonNullElse(in.readLine(), "");
        @Nullable ReplaceableFilter filter = store.isEmpty() ? null : new ReplaceableFilter(store);
        Server server = server(filter);
        server.start();
        out.println(((ServerConnector) server.getConnectors()[0]).getLocalPort());
        while (FORGET.equals(in.readLine())) {
            if (filter != null && store.equals("memory:")) {
                filter.replace();
            }
            out.println(FORGET);
        }
        server.stop();
        if (filter != null) {
            filter.close();
        }
    }

    private static Server server(@Nullable Filter filter) {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("localhost");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        if (filter != null) {
            FilterHolder holder = new FilterHolder(filter);
            holder.setAsyncSupported(true);
            context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        }
        context.addServlet(new ServletHolder(new PaymentServlet()), PaymentServlet.PATH);
        server.setHandler(context);
        return server;
    }

    /** SemelEngine's filter, with an engine that can be replaced by a new one on a new store. */
    private static final class ReplaceableFilter implements Filter, AutoCloseable {

        private final String store;
        private volatile Engine engine;

        private record Engine(SemelEngine semel, SemelFilter filter) {}

        ReplaceableFilter(String store) {
            this.store = store;
            this.engine = engine();
        }

        private Engine engine() {
            SemelEngine semel = SemelEngine.on(Stores.open(store)).build();
            Routes routes = Routes.builder()
                    .protect(
                            "POST",
                            PaymentServlet.PATH,
                            RoutePolicy.of(Operation.named("create-payment")).build())
                    .build();
            Gate gate = Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account"))
                    .build();
            return new Engine(semel, new SemelFilter(gate));
        }

        void replace() {
            close();
            engine = engine();
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            engine.filter().doFilter(request, response, chain);
        }

        @Override
        public void close() {
            engine.semel().close();
        }
    }
}
