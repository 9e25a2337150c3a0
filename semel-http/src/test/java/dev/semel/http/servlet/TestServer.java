package dev.semel.http.servlet;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.SemelListener;
import dev.semel.engine.Store;
import dev.semel.engine.Tracer;
import dev.semel.http.Gate;
import dev.semel.http.GateBuilder;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.spi.BlockingVerbs;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.FaultyStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A real container with the filter, and one servlet behind it that runs the handler of the test and counts its calls. */
final class TestServer implements AutoCloseable {

    /** What the servlet does. */
    interface Handler {
        void handle(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    final FaultyStore store;
    final SemelEngine semel;
    final AtomicInteger executions = new AtomicInteger();
    private final FilterServer server;

    private TestServer(Settings settings) {
        store = new FaultyStore(observed(settings.onSettle));
        SemelEngine.Builder engine = SemelEngine.on(settings.otherStore == null ? store : settings.otherStore);
        if (settings.tracer != null) {
            engine.tracer(settings.tracer);
        }
        semel = engine.listener(settings.listener).build();
        Routes routes = settings.routes.build();
        Gate gate = settings.gate.apply(Gate.on(semel, routes, settings.scopes)).build();
        server = new FilterServer(gate, new CountingServlet(settings.handler))
                .contextPath(settings.contextPath)
                .dispatches(settings.dispatches);
        if (settings.outer != null) {
            server.outer(settings.outer);
        }
        server.start();
    }

    private static Store observed(Runnable onSettle) {
        MemoryStore memory = new MemoryStore();
        return (Store) Proxy.newProxyInstance(
                TestServer.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("blocking")) {
                        return BlockingVerbs.awaiting((Store) proxy);
                    }
                    if (method.getName().equals("settle")) {
                        onSettle.run();
                    }
                    return method.invoke(memory, arguments);
                });
    }

    private final class CountingServlet extends HttpServlet {

        private final transient Handler handler;

        CountingServlet(Handler handler) {
            this.handler = handler;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                executions.incrementAndGet();
            }
            try {
                handler.handle(request, response);
            } catch (IOException | ServletException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }
    }

    /** A server that protects every path with this policy. */
    static TestServer protecting(UnaryOperator<RoutePolicyBuilder> policy, Handler handler) {
        return settings().route("*", "*", policy).start(handler);
    }

    static TestServer protecting(Handler handler) {
        return protecting(policy -> policy, handler);
    }

    static Settings settings() {
        return new Settings();
    }

    int port() {
        return server.port();
    }

    Wire.Request post(String target) {
        return new Wire.Request("POST", target);
    }

    Wire.Reply send(Wire.Request request) {
        return request.send(port());
    }

    /** Sends a payment with this key. */
    Wire.Reply pay(String key) {
        return send(post("/payments").key(key).json("{\"amount\":100}"));
    }

    Wire.Reply status(String key) {
        return send(new Wire.Request("GET", "/idempotency/status").key(key));
    }

    @Override
    public void close() {
        server.stop();
        semel.close();
    }

    /** What a server is made of. */
    static final class Settings {

        private final Routes.Builder routes = Routes.builder();
        private UnaryOperator<GateBuilder> gate = builder -> builder;
        private ScopeStrategy scopes = ScopeStrategy.fromPrincipal();
        private EnumSet<DispatcherType> dispatches = EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);
        private String contextPath = "/";
        private Runnable onSettle = () -> {};
        private Filter outer;
        private Store otherStore;
        private Tracer tracer;
        private SemelListener listener = event -> {};
        private Handler handler;

        Settings route(String methods, String path, UnaryOperator<RoutePolicyBuilder> policy) {
            return route(methods, path, Operation.named("create-payment"), policy);
        }

        Settings route(String methods, String path, Operation operation, UnaryOperator<RoutePolicyBuilder> policy) {
            routes.protect(
                    methods, path, policy.apply(RoutePolicy.of(operation)).build());
            return this;
        }

        Settings gate(UnaryOperator<GateBuilder> settings) {
            gate = settings;
            return this;
        }

        Settings scopes(ScopeStrategy strategy) {
            scopes = strategy;
            return this;
        }

        Settings dispatches(DispatcherType... types) {
            dispatches = EnumSet.copyOf(java.util.List.of(types));
            return this;
        }

        Settings contextPath(String path) {
            contextPath = path;
            return this;
        }

        /** What is done before a settlement is written. */
        Settings onSettle(Runnable action) {
            onSettle = action;
            return this;
        }

        /** A store instead of the one in memory that fails on demand. */
        Settings store(Store other) {
            otherStore = other;
            return this;
        }

        Settings tracer(Tracer newTracer) {
            tracer = newTracer;
            return this;
        }

        Settings listener(SemelListener newListener) {
            listener = newListener;
            return this;
        }

        /** A filter before ours. */
        Settings outer(Filter filter) {
            outer = filter;
            return this;
        }

        TestServer start(Handler newHandler) {
            handler = newHandler;
            return new TestServer(this);
        }
    }
}
