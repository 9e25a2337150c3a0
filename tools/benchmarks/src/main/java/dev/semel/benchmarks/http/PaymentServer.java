package dev.semel.benchmarks.http;

import dev.semel.Operation;
import dev.semel.benchmarks.database.Database;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.jdbc.Stores;
import dev.semel.redis.RedisStore;
import dev.semel.redis.uri.RedisUri;
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

/** A Jetty with one endpoint that takes payments, behind a filter or not. */
final class PaymentServer {

    /** What the suite says when records of a store in memory may go. */
    static final String FORGET = "forget";

    /** What it says, and a number, for another size of a hand-written filter's pool. */
    static final String POOL = "pool ";

    /** What it prints before its port; the gateway prints the same. */
    static final String READY = "is ready: http://127.0.0.1:";

    private static final int FIRST_POOL = 16;

    private PaymentServer() {}

    /** Reads what protects the endpoint, answers with the port, follows orders, and ends when there is no more to read. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = System.out;
        Protection protection = Protection.ofLine(Objects.requireNonNullElse(in.readLine(), ""));
        if (protection.kind() == Protection.Kind.GATEWAY) {
            GatewayCommand.start(protection);
            for (String order = in.readLine(); order != null; order = in.readLine()) {
                out.println(order);
            }
            Runtime.getRuntime().halt(0);
        }
        @Nullable Filter filter = filter(protection);
        Server server = server(filter);
        server.start();
        out.println(READY + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
        for (String order = in.readLine(); order != null; order = in.readLine()) {
            obey(order, protection, filter);
            out.println(order);
        }
        server.stop();
        if (filter instanceof AutoCloseable open) {
            open.close();
        }
    }

    private static void obey(String order, Protection protection, @Nullable Filter filter) {
        if (filter instanceof ReplaceableFilter semel && protection.store().equals("memory:")) {
            semel.replace();
        } else if (filter instanceof HandWrittenFilter handWritten && order.startsWith(POOL)) {
            handWritten.replace(table(protection, Integer.parseInt(order.substring(POOL.length()))));
        }
    }

    private static @Nullable Filter filter(Protection protection) {
        return switch (protection.kind()) {
            case NONE, GATEWAY -> null;
            case HAND_WRITTEN, LIBRARY -> new HandWrittenFilter(table(protection, FIRST_POOL));
            case SEMEL, NEAR_CACHE -> new ReplaceableFilter(protection);
        };
    }

    private static KeyTable table(Protection protection, int poolSize) {
        String store = protection.store();
        boolean library = protection.kind() == Protection.Kind.LIBRARY;
        if (RedisUri.isRedis(store)) {
            RedisUri uri = RedisUri.parse(store);
            return library ? SpringKeyTable.on(uri) : new RedisKeyTable(uri);
        }
        Database database = Database.parse(store);
        return library ? SpringKeyTable.on(database, poolSize) : new SqlKeyTable(database, poolSize);
    }

    private static Server server(@Nullable Filter filter) {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
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

        private final Protection protection;
        private volatile Engine engine;

        private record Engine(SemelEngine semel, SemelFilter filter) {}

        ReplaceableFilter(Protection protection) {
            this.protection = protection;
            this.engine = engine();
        }

        private Engine engine() {
            SemelEngine.Builder builder = SemelEngine.on(opened(protection.store()));
            if (protection.kind() == Protection.Kind.NEAR_CACHE) {
                builder.nearCache(CaffeineNearCache.builder().build());
            }
            SemelEngine semel = builder.build();
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

        private static Store opened(String store) {
            return RedisUri.isRedis(store) ? RedisStore.open(RedisUri.parse(store)) : Stores.open(store);
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
