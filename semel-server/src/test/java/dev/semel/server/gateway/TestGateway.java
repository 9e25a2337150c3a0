package dev.semel.server.gateway;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.PathPattern;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.key.KeyHygiene;
import dev.semel.memory.MemoryStore;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ListenerConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.CountingStore;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A gateway on a free port of loopback, in front of a service of the test's, over a store in memory that fails on demand. */
final class TestGateway implements AutoCloseable {

    static final Duration LONG = Duration.ofSeconds(60);

    private final CountingStore counted = new CountingStore(new MemoryStore());
    final FaultyStore store = new FaultyStore(counted);
    final SemelEngine semel = SemelEngine.on(store).build();
    private final Optional<TokenScopes> tokens;
    final Gateway gateway;

    /** What a test sets of the one protected route. */
    record Settings(
            Operation operation,
            UnaryOperator<RoutePolicyBuilder> policy,
            Duration requestTimeout,
            Duration answerTimeout,
            Duration reuse,
            Set<RouteConfig.Extra> extras) {

        static Settings standard() {
            return new Settings(Operation.named("pay"), policy -> policy, LONG, LONG, LONG, Set.of());
        }

        Settings operation(Operation other) {
            return new Settings(other, policy, requestTimeout, answerTimeout, reuse, extras);
        }

        Settings policy(UnaryOperator<RoutePolicyBuilder> other) {
            return new Settings(operation, other, requestTimeout, answerTimeout, reuse, extras);
        }

        Settings requestTimeout(Duration other) {
            return new Settings(operation, policy, other, answerTimeout, reuse, extras);
        }

        Settings answerTimeout(Duration other) {
            return new Settings(operation, policy, requestTimeout, other, reuse, extras);
        }

        /** How long connections may be idle between two protected requests; zero opens one for each. */
        Settings reuse(Duration other) {
            return new Settings(operation, policy, requestTimeout, answerTimeout, other, extras);
        }

        Settings extras(RouteConfig.Extra... others) {
            return new Settings(operation, policy, requestTimeout, answerTimeout, reuse, Set.of(others));
        }
    }

    private TestGateway(GatewayConfig config, ListenerConfig listener) {
        tokens = config.jwt().jwks() == null ? Optional.empty() : Optional.of(new TokenScopes(config.jwt()));
        RoutingPlan plan = new RoutingPlan(semel, config, new Scopes(config.trustedProxies(), tokens));
        gateway = Gateway.start(listener, plan);
    }

    static TestGateway before(String url) {
        return before(url, Settings.standard());
    }

    static ListenerConfig anyPort() {
        return ListenerConfig.on(new HostPort("127.0.0.1", 0));
    }

    static TestGateway before(String url, Settings settings) {
        return before(url, settings, anyPort());
    }

    static TestGateway before(String url, Settings settings, ListenerConfig listener) {
        GatewayConfig config = new GatewayConfig(
                new ScopeConfig.Shared(),
                JwtConfig.NONE,
                TrustedProxies.NONE,
                GatewayConfig.DEFAULT_KEY_HEADER,
                GatewayConfig.DEFAULT_STATUS_PATH,
                List.of(
                        route("unprotected", "/unprotected/**", null, url, settings),
                        route("pay", "*", policyOf(settings), url, settings)));
        return new TestGateway(config, listener);
    }

    static TestGateway of(GatewayConfig config) {
        return new TestGateway(config, anyPort());
    }

    private static RoutePolicy policyOf(Settings settings) {
        return settings.policy()
                .apply(RoutePolicy.of(settings.operation()).keyHygiene(KeyHygiene.IGNORE))
                .build();
    }

    private static RouteConfig route(
            String name, String path, @Nullable RoutePolicy policy, String url, Settings settings) {
        return new RouteConfig(
                name,
                Set.of(),
                Set.of(),
                PathPattern.of(path),
                policy,
                null,
                UpstreamAddress.parse(url),
                new RouteConfig.Timeouts(
                        LONG, settings.requestTimeout(), settings.answerTimeout(), LONG, settings.reuse()),
                settings.extras());
    }

    int port() {
        return gateway.address().port();
    }

    Wire.Request post(String key) {
        return new Wire.Request("POST", "/payments").key(key).json("{\"amount\":100}");
    }

    Wire.Reply pay(String key) {
        return post(key).send(port());
    }

    Wire.Reply status(String key) {
        return new Wire.Request("GET", "/idempotency/status").key(key).send(port());
    }

    /** How often the store was called. */
    long storeCalls() {
        return counted.calls();
    }

    /** The state of a key's record; null when there is none. */
    @Nullable
    State state(String key) {
        return semel.find(Identity.of("shared", key))
                .map(found -> found.state())
                .orElse(null);
    }

    @Override
    public void close() {
        gateway.close();
        tokens.ifPresent(TokenScopes::close);
        semel.close();
    }
}
