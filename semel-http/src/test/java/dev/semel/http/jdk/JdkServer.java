package dev.semel.http.jdk;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of the JDK with authentication, filters, and one handler. */
record JdkServer(HttpServer server, ExecutorService threads) implements AutoCloseable {

    static final String REALM = "test";

    static JdkServer start(HttpHandler handler, Filter... filters) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
        HttpContext context = server.createContext("/", handler);
        context.setAuthenticator(new HeaderAuthenticator());
        context.getFilters().addAll(List.of(filters));
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.start();
        return new JdkServer(server, threads);
    }

    /** Stands in for authentication: trusts the user that the header names. */
    private static final class HeaderAuthenticator extends Authenticator {

        @Override
        public Result authenticate(HttpExchange exchange) {
            String named = exchange.getRequestHeaders().getFirst("X-User");
            String user = named == null ? "alice" : named;
            if (user.equals("refused")) {
                return new Failure(401);
            }
            return new Success(user.equals("anonymous") ? null : new HttpPrincipal(user, REALM));
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
