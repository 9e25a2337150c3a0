package dev.semel.jaxrs;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.ForwardingStore;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** An application with the feature, on a real server, over a store in memory that fails on demand. */
final class TestServer implements AutoCloseable {

    /** Starts an application on a free port of loopback. */
    @FunctionalInterface
    interface Starter {
        Started start(Application application) throws Exception;
    }

    /** A server that is running. */
    record Started(int port, AutoCloseable stop) {}

    final PaymentResource resource = new PaymentResource();
    final SettleWatch watched = new SettleWatch();
    final FaultyStore store = new FaultyStore(watched);
    final SemelEngine semel = SemelEngine.on(store).build();
    private final Started started;

    private TestServer(
            Starter starter, Operation operation, UnaryOperator<RoutePolicyBuilder> policy, Object... providers) {
        Routes routes = Routes.builder()
                .unprotected("*", "/unprotected/**")
                .protect("*", "*", policy.apply(RoutePolicy.of(operation)).build())
                .build();
        SemelFeature feature = new SemelFeature(
                Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build());
        Set<Object> singletons = new HashSet<>(List.of(providers));
        singletons.addAll(List.of(resource, new IdempotencyStatus(), new Authentication(), feature));
        try {
            started = starter.start(new Application() {
                @Override
                @SuppressWarnings("deprecation")
                public Set<Object> getSingletons() {
                    return singletons;
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static TestServer open(
            Starter starter, Operation operation, UnaryOperator<RoutePolicyBuilder> policy, Object... providers) {
        return new TestServer(starter, operation, policy, providers);
    }

    /** Stands in for authentication, without a priority: trusts the user that the header names. */
    static final class Authentication implements ContainerRequestFilter {

        @Override
        public void filter(ContainerRequestContext request) {
            String named = request.getHeaderString("X-User");
            String user = named == null ? "alice" : named;
            request.setSecurityContext(new SecurityContext() {
                @Override
                public Principal getUserPrincipal() {
                    return user.equals("anonymous") ? null : () -> user;
                }

                @Override
                public boolean isUserInRole(String role) {
                    return false;
                }

                @Override
                public boolean isSecure() {
                    return false;
                }

                @Override
                public String getAuthenticationScheme() {
                    return "test";
                }
            });
        }
    }

    /** A store that lets a test look before a settlement is written. */
    static final class SettleWatch extends ForwardingStore {

        volatile Runnable beforeSettle = () -> {};

        SettleWatch() {
            super(new MemoryStore());
        }

        @Override
        public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
            beforeSettle.run();
            return super.settle(lease, outcome, retention);
        }
    }

    int port() {
        return started.port();
    }

    int executions() {
        return resource.executions.get();
    }

    Wire.Request post(String target) {
        return new Wire.Request("POST", target);
    }

    Wire.Reply send(Wire.Request request) {
        return request.send(port());
    }

    /** Sends a payment with this key. */
    Wire.Reply pay(String key) {
        return pay("/payments", key);
    }

    Wire.Reply pay(String path, String key) {
        return send(post(path).key(key).json("{\"amount\":100}"));
    }

    Wire.Reply status(String key) {
        return send(new Wire.Request("GET", "/idempotency/status").key(key));
    }

    /** The state of a key's record; null when there is none. */
    State state(String key) {
        return semel.find(Identity.of("alice", key)).map(found -> found.state()).orElse(null);
    }

    @Override
    public void close() {
        try {
            started.stop().close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        semel.close();
    }
}
