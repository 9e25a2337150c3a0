package dev.semel.server.gateway;

import dev.semel.server.gateway.config.HostPort;
import dev.semel.server.gateway.config.LimitsConfig;
import dev.semel.server.gateway.config.ListenerConfig;
import dev.semel.server.gateway.config.TlsConfig;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A running gateway: event loops that accept requests, and the configuration in force.
 *
 * <p>The engine belongs to the caller, who closes it after the gateway.
 */
final class Gateway implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    private static final long START_SECONDS = 30;

    private final Vertx vertx;
    private final Upstreams upstreams;
    private final Exchanges exchanges;
    private final AccessLog log;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
    private final HostPort address;
    private volatile Routing routing;

    private Gateway(Vertx vertx, ListenerConfig listener, AccessLog log, Function<Upstreams, Routing> plan) {
        this.vertx = vertx;
        this.exchanges = new Exchanges(listener.limits().requests());
        this.log = log;
        this.upstreams = new Upstreams(vertx);
        this.routing = plan.apply(upstreams);
        Front front = new Front(() -> routing, exchanges, log);
        HttpServerOptions options = serverOptions(listener);
        HostPort listen = listener.address();
        int loops = Runtime.getRuntime().availableProcessors();
        Future<String> listening = vertx.deployVerticle(
                () -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        ClientConnections own =
                                new ClientConnections(new Deadlines(vertx, listener.limits()), listener.limits());
                        HttpServer server = vertx.createHttpServer(options)
                                .connectionHandler(connection -> {
                                    connection.exceptionHandler(known -> {});
                                    own.opened(connection);
                                })
                                .requestHandler(request -> front.handle(request, own));
                        servers.add(server);
                        // A negative port is a free one that all event loops share.
                        return server.listen(listen.port() == 0 ? -1 : listen.port(), listen.host());
                    }
                },
                new DeploymentOptions().setInstances(loops));
        waitToListen(listen, "--listen", listening);
        this.address = listen.withPort(servers.get(0).actualPort());
    }

    /**
     * Starts a gateway.
     *
     * @param plan makes the routes from the services that they name
     * @throws IllegalStateException when the address cannot be listened on
     */
    static Gateway start(ListenerConfig listener, Function<Upstreams, Routing> plan) {
        VertxOptions options = new VertxOptions()
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
        Vertx vertx = Vertx.builder()
                .with(options)
                .withTransport(new LimitedTransport(listener.limits()))
                .build();
        AccessLog log = AccessLog.open(listener.accessLog());
        try {
            return new Gateway(vertx, listener, log, plan);
        } catch (RuntimeException e) {
            waitFor(vertx.close());
            log.close();
            throw e;
        }
    }

    private static HttpServerOptions serverOptions(ListenerConfig listener) {
        LimitsConfig limits = listener.limits();
        HttpServerOptions options = new HttpServerOptions()
                .setHandle100ContinueAutomatically(false)
                .setMaxHeaderSize(limits.headers())
                .setMaxInitialLineLength(limits.requestLine());
        options.getInitialSettings().setMaxHeaderListSize(limits.headers());
        TlsConfig tls = listener.tls();
        if (tls != null) {
            ServerSSLOptions certificates = ServerTls.read(tls);
            options.setSsl(true)
                    .setUseAlpn(true)
                    .setKeyCertOptions(certificates.getKeyCertOptions())
                    .setTrustOptions(certificates.getTrustOptions())
                    .setClientAuth(certificates.getClientAuth());
        }
        return options;
    }

    /**
     * Has new connections use the certificates that the files hold now.
     *
     * @throws RuntimeException when they cannot be used: then the old ones stay in force
     */
    void reloadCertificates(TlsConfig tls) {
        ServerSSLOptions certificates = ServerTls.read(tls);
        for (HttpServer server : servers) {
            waitFor(server.updateSSLOptions(certificates));
        }
    }

    /** Starts the listener of operators. Returns where it listens. */
    HostPort startAdmin(HostPort listen, AdminServer admin) {
        HttpServer server = waitToListen(listen, "--admin", admin.listen(vertx, listen.host(), listen.port()));
        return listen.withPort(server.actualPort());
    }

    /** Where it listens. */
    HostPort address() {
        return address;
    }

    Vertx vertx() {
        return vertx;
    }

    /** Puts another configuration in force, for requests that begin from now on. */
    void reload(Function<Upstreams, Routing> plan) {
        routing = plan.apply(upstreams);
    }

    /** Accepts no more connections, and waits for the requests in flight. */
    void drain(Duration longest) {
        Future<?> closed = Future.all(
                servers.stream().map(server -> server.shutdown(longest)).toList());
        try {
            CompletableFuture<?> both = CompletableFuture.allOf(
                    closed.toCompletionStage().toCompletableFuture(),
                    exchanges.drain().toCompletableFuture());
            both.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "requests were still in flight after {0}: their outcome becomes unknown",
                    longest);
        } catch (ExecutionException e) {
            LOG.log(System.Logger.Level.WARNING, "a listener could not be closed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        waitFor(vertx.close());
        log.close();
    }

    private static <T> T waitToListen(HostPort where, String option, Future<T> future) {
        try {
            return waitFor(future);
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof BindException) {
                throw new IllegalStateException(
                        "cannot listen on " + where + " (" + e.getMessage() + "): choose another address with "
                                + option,
                        e);
            }
            throw e;
        }
    }

    private static <T> T waitFor(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the listener did not start or stop within " + START_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
