package dev.semel.server.gateway;

import dev.semel.server.gateway.config.UpstreamAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one service.
 *
 * <ol>
 *   <li>A protected request in HTTP/1.1 gets a connection that was used a moment ago, or a new one; where the route says so,
 *       always a new one.
 *   <li>In HTTP/2 requests share connections: a service that closes one in order announces it, and takes what is on its way.
 *   <li>Everything else uses pooled connections.
 * </ol>
 */
final class Upstream {

    /** Services close idle connections after 5 s (Node, Apache) or later; ours are closed before. */
    private static final int KEEP_ALIVE_SECONDS = 4;

    /** Each costs some kilobytes here, and a worker in services that have a thread per connection. */
    private static final int MOST_CONNECTIONS = 1000;

    private static final int MOST_HTTP2_CONNECTIONS = 4;

    private final UpstreamAddress address;
    private final HttpClientAgent client;
    private final HttpConnectOptions connecting;
    private final KeptConnections kept;

    private Upstream(UpstreamAddress address, HttpClientAgent client, Duration connectTimeout, KeptConnections kept) {
        this.address = address;
        this.client = client;
        this.kept = kept;
        this.connecting = new HttpConnectOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setSsl(address.tls())
                .setConnectTimeout(connectTimeout.toMillis());
    }

    /** @param reuse how long after an answer its connection may be used for another protected request; zero for never */
    static Upstream open(Vertx vertx, UpstreamAddress address, Duration connectTimeout, Duration reuse) {
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout((int) connectTimeout.toMillis())
                .setSslHandshakeTimeout(connectTimeout.toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setHttp2KeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setDecompressionSupported(false)
                .setMaxHeaderSize(Limits.HEADER_BYTES)
                .setSsl(address.tls());
        if (address.http2()) {
            options.setProtocolVersion(HttpVersion.HTTP_2)
                    .setUseAlpn(address.tls())
                    .setHttp2ClearTextUpgrade(false);
        }
        HttpClientAgent client = vertx.httpClientBuilder()
                .with(options)
                // Every request gets the end of its connection; that is no news for the log.
                .withConnectHandler(connection -> connection.exceptionHandler(known -> {}))
                .with(new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS).setHttp2MaxSize(MOST_HTTP2_CONNECTIONS))
                .build();
        return new Upstream(address, client, connectTimeout, new KeptConnections(vertx, reuse));
    }

    UpstreamAddress address() {
        return address;
    }

    /** The options of a request to this service. */
    RequestOptions request() {
        return new RequestOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setSsl(address.tls())
                .setFollowRedirects(false)
                .setConnectTimeout(connecting.getConnectTimeout());
    }

    /** A request of which nothing has been sent, on a pooled connection. */
    Future<HttpClientRequest> pooled(RequestOptions request) {
        return client.request(request);
    }

    /**
     * A protected request of which nothing has been sent.
     *
     * @param connection null where requests share connections
     */
    record Ready(HttpClientRequest request, @Nullable HttpClientConnection connection) {}

    /** A request of which nothing has been sent, on a connection that the service has no reason to close. */
    Future<Ready> certain(RequestOptions request) {
        if (address.http2()) {
            return client.request(request).map(ready -> new Ready(ready, null));
        }
        if (kept.keepsNone()) {
            request.putHeader("Connection", "close");
            return onNewConnection(request);
        }
        HttpClientConnection used = kept.take();
        // Nothing was sent on one that turns out to be closed, so that another is tried.
        return used == null ? onNewConnection(request) : on(used, request).recover(closed -> onNewConnection(request));
    }

    private Future<Ready> onNewConnection(RequestOptions request) {
        return client.connect(connecting).compose(connection -> {
            connection.exceptionHandler(known -> {});
            return on(connection, request);
        });
    }

    private static Future<Ready> on(HttpClientConnection connection, RequestOptions request) {
        return connection
                .request(request)
                .map(ready -> new Ready(ready, connection))
                .onFailure(failure -> connection.close());
    }

    /** Takes the connection of a request back that was sent whole and answered whole. */
    void release(Ready done, HttpClientResponse answer) {
        HttpClientConnection connection = done.connection();
        if (connection != null) {
            kept.release(connection, answer);
        }
    }

    Future<Void> close() {
        return client.close();
    }
}
