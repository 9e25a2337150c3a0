package dev.semel.http.contract;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.GateBuilder;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A real server with a transport under test, and behind it a handler whose calls are counted. */
public final class ContractServer implements AutoCloseable {

    /** What a contract is run on: a server with an adapter of Semel. */
    public interface Transport {

        /**
         * Starts a server on loopback that authenticates as the user in the header {@code X-User}, {@code alice} where there is
         * none, and as no user for {@code anonymous}.
         */
        Started start(Gate gate, Call.Handler handler) throws Exception;

        /** The name under which a user owns keys. */
        default String owner(String user) {
            return user;
        }
    }

    /** A server that is running. */
    public record Started(int port, AutoCloseable stop) {}

    public final FaultyStore store;
    public final SemelEngine semel;
    public final AtomicInteger executions = new AtomicInteger();
    private final Transport transport;
    private final Started started;

    private ContractServer(Settings settings, Call.Handler handler) {
        transport = settings.transport;
        store = new FaultyStore(new ForwardingStore(new MemoryStore()) {
            @Override
            public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
                settings.onSettle.run();
                return super.settle(lease, outcome, retention);
            }
        });
        semel = settings.engine.apply(SemelEngine.on(store)).build();
        Gate gate = settings.gate
                .apply(Gate.on(semel, settings.routes.build(), settings.scopes))
                .build();
        try {
            started = transport.start(gate, call -> {
                executions.incrementAndGet();
                handler.handle(call);
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts to configure a server of this transport. */
    public static Settings on(Transport transport) {
        return new Settings(transport);
    }

    public int port() {
        return started.port();
    }

    public Wire.Request post(String target) {
        return new Wire.Request("POST", target);
    }

    public Wire.Reply send(Wire.Request request) {
        return request.send(port());
    }

    /** Sends a payment with this key. */
    public Wire.Reply pay(String key) {
        return send(post("/payments").key(key).json("{\"amount\":100}"));
    }

    public Wire.Reply status(String key) {
        return send(new Wire.Request("GET", "/idempotency/status").key(key));
    }

    /** The identity of a key of the usual user. */
    public Identity identity(String key) {
        return Identity.of(transport.owner("alice"), key);
    }

    /** The state of a key's record; null when there is none. */
    public State state(String key) {
        return semel.find(identity(key)).map(found -> found.state()).orElse(null);
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

    /** What a server is made of. */
    public static final class Settings {

        private final Transport transport;
        private final Routes.Builder routes = Routes.builder();
        private UnaryOperator<SemelEngine.Builder> engine = builder -> builder;
        private UnaryOperator<GateBuilder> gate = builder -> builder;
        private ScopeStrategy scopes = ScopeStrategy.fromPrincipal();
        private Runnable onSettle = () -> {};

        Settings(Transport transport) {
            this.transport = transport;
        }

        public Settings route(String methods, String path, UnaryOperator<RoutePolicyBuilder> policy) {
            return route(methods, path, Operation.named("create-payment"), policy);
        }

        public Settings route(
                String methods, String path, Operation operation, UnaryOperator<RoutePolicyBuilder> policy) {
            routes.protect(
                    methods, path, policy.apply(RoutePolicy.of(operation)).build());
            return this;
        }

        public Settings engine(UnaryOperator<SemelEngine.Builder> settings) {
            engine = settings;
            return this;
        }

        public Settings gate(UnaryOperator<GateBuilder> settings) {
            gate = settings;
            return this;
        }

        public Settings scopes(ScopeStrategy strategy) {
            scopes = strategy;
            return this;
        }

        /** What is done before a settlement is written. */
        public Settings onSettle(Runnable action) {
            onSettle = action;
            return this;
        }

        public ContractServer start(Call.Handler handler) {
            return new ContractServer(this, handler);
        }
    }
}
