package dev.semel.server.gateway;

import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import dev.semel.reconcile.Reconciler;
import dev.semel.server.gateway.config.ConsoleConfig;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ListenerConfig;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.StoreConfig;
import dev.semel.server.gateway.config.TlsConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A gateway with its store, its listeners and its daemons, as the command runs it. */
public final class GatewayProcess implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    /** The secret for the digests that mismatches are explained with; without it, one is kept in the store. */
    private static final String EXPLANATION_SECRET = "SEMEL_EXPLANATION_SECRET";

    private static final String SQLITE = "sqlite:";

    private final SemelEngine semel;
    private final Gateway gateway;
    private final HostPort admin;
    private final boolean clientsProveThemselves;
    private final @Nullable FileWatch certificates;
    private JwtConfig jwt = JwtConfig.NONE;
    private @Nullable TokenScopes tokens;
    private volatile GatewayConfig current;
    private Reconciler reconciler;
    private boolean closed;

    /** What a gateway starts with, besides its configuration. */
    private record Parts(SemelEngine semel, GatewayMetrics metrics, GatewayConsole console) {}

    private GatewayProcess(Parts parts, Listeners listeners, GatewayConfig config) {
        this.semel = parts.semel();
        TlsConfig tls = listeners.listener().tls();
        this.clientsProveThemselves = tls != null && tls.clientCa() != null;
        this.current = config;
        this.reconciler = Resolvers.reconciler(semel, config);
        RoutingPlan plan = plan(config);
        this.gateway = Gateway.start(listeners.listener(), plan);
        try {
            AdminServer server = new AdminServer(
                    semel,
                    parts.metrics()::text,
                    new SettleEndpoint(semel, () -> current),
                    parts.console().handler(semel, listeners.console(), listeners.admin(), () -> current));
            this.admin = gateway.startAdmin(listeners.admin(), server);
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
        reconciler.start();
        this.certificates = watchCertificates(tls);
    }

    /** Where a gateway listens, for requests and for operators. */
    public record Listeners(ListenerConfig listener, HostPort admin, ConsoleConfig console) {

        /** Listeners with a console that only shows, and only on loopback. */
        public Listeners(ListenerConfig listener, HostPort admin) {
            this(listener, admin, ConsoleConfig.DEFAULT);
        }

        /** Listeners with the usual limits; clear text for clients when there is no TLS. */
        public Listeners(HostPort listen, HostPort admin, @Nullable TlsConfig tls) {
            this(ListenerConfig.on(listen).tls(tls), admin);
        }
    }

    private @Nullable FileWatch watchCertificates(@Nullable TlsConfig tls) {
        if (tls == null) {
            return null;
        }
        return new FileWatch("semel-gateway-certificates", tls.files(), () -> {
            try {
                gateway.reloadCertificates(tls);
                LOG.log(System.Logger.Level.INFO, "the certificates were read again");
            } catch (RuntimeException e) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "the new certificates are refused, and the old ones stay in force",
                        e);
            }
        });
    }

    /**
     * Starts it.
     *
     * @throws IllegalArgumentException when the store's URI or the configuration is wrong
     * @throws StoreException when the store cannot be opened
     * @throws IllegalStateException when an address cannot be listened on
     */
    public static GatewayProcess start(StoreConfig store, Listeners listeners, GatewayConfig config) {
        GatewayMetrics metrics = new GatewayMetrics();
        GatewayConsole console = new GatewayConsole(store.uri());
        SemelEngine.Builder builder = SemelEngine.on(open(store.uri()))
                .listener(metrics.listener())
                .pruneEvery(store.pruneEvery(), Expiry.DELETE);
        if (config.explainsMismatches()) {
            explainMismatches(builder);
        }
        console.listeners().forEach(builder::listener);
        SemelEngine semel = builder.build();
        try {
            return new GatewayProcess(new Parts(semel, metrics, console), listeners, config);
        } catch (RuntimeException e) {
            semel.close();
            throw e;
        }
    }

    private static void explainMismatches(SemelEngine.Builder builder) {
        String secret = System.getenv(EXPLANATION_SECRET);
        if (secret == null || secret.isBlank()) {
            builder.explainMismatches();
            return;
        }
        try {
            builder.explainMismatches(secret);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the environment variable " + EXPLANATION_SECRET + ": " + e.getMessage(), e);
        }
    }

    /** The routes of a configuration. The issuer's keys are read only when another place for them is named. */
    private synchronized RoutingPlan plan(GatewayConfig config) {
        boolean usesCertificates = Stream.concat(
                        Stream.of(config.scope()), config.routes().stream().map(RouteConfig::scope))
                .anyMatch(ScopeConfig.Mtls.class::isInstance);
        if (usesCertificates && !clientsProveThemselves) {
            throw new IllegalArgumentException(
                    "scope mtls needs certificates of clients: name who signs them as tls.client-ca");
        }
        TokenScopes before = tokens;
        TokenScopes now = before;
        if (!config.jwt().equals(jwt)) {
            now = config.jwt().jwks() == null ? null : new TokenScopes(config.jwt());
        }
        RoutingPlan plan =
                new RoutingPlan(semel, config, new Scopes(config.trustedProxies(), Optional.ofNullable(now)));
        if (before != null && before != now) {
            before.close();
        }
        tokens = now;
        jwt = config.jwt();
        return plan;
    }

    /** Opens the store, and makes the directory of a file. */
    private static Store open(String uri) {
        if (uri.startsWith(SQLITE)) {
            int question = uri.indexOf('?');
            Path parent = Path.of(uri.substring(SQLITE.length(), question < 0 ? uri.length() : question))
                    .toAbsolutePath()
                    .getParent();
            try {
                if (parent != null) {
                    Files.createDirectories(parent);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the directory of the store cannot be made: " + e.getMessage(), e);
            }
        }
        return Stores.open(uri);
    }

    /** Where requests are accepted. */
    public HostPort address() {
        return gateway.address();
    }

    public HostPort adminAddress() {
        return admin;
    }

    /** Puts another configuration in force, for requests that begin from now on. */
    public void reload(GatewayConfig config) {
        Reconciler next = Resolvers.reconciler(semel, config);
        gateway.reload(plan(config));
        current = config;
        replace(next);
    }

    /** Lets the look-ups of the old configuration end before those of the new one begin. */
    private synchronized void replace(Reconciler next) {
        if (closed) {
            return;
        }
        reconciler.close();
        reconciler = next;
        next.start();
    }

    /** Accepts nothing more, waits for the requests in flight up to a limit, and ends. */
    public void stop(Duration longestDrain) {
        gateway.drain(longestDrain);
        close();
    }

    @Override
    public void close() {
        if (certificates != null) {
            certificates.close();
        }
        closeReconciler();
        gateway.close();
        closeTokens();
        semel.close();
    }

    private synchronized void closeReconciler() {
        closed = true;
        reconciler.close();
    }

    private synchronized void closeTokens() {
        if (tokens != null) {
            tokens.close();
        }
    }
}
