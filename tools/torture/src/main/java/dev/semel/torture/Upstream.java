package dev.semel.torture;

import dev.semel.torture.net.Protocol;
import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Where a server is, and a proxy in front of it for each application. */
final class Upstream implements AutoCloseable {

    private final URI server;
    private final int port;
    private final String options;
    private final List<TcpProxy> proxies = new ArrayList<>();

    /**
     * A server that runs.
     *
     * @param options for a URI that has no parameters of its own
     */
    Upstream(URI server, String options, Protocol protocol, int apps) throws IOException {
        this.server = server;
        this.port = server.getPort() < 0 ? protocol.usualPort() : server.getPort();
        this.options = options;
        for (int app = 0; app < apps; app++) {
            proxies.add(new TcpProxy(new InetSocketAddress(server.getHost(), port), protocol));
        }
    }

    int port() {
        return port;
    }

    String directUri() {
        return uri(server.getHost(), port);
    }

    String uriFor(int app) {
        return uri("127.0.0.1", proxies.get(app).port());
    }

    private String uri(String host, int at) {
        String user = server.getRawUserInfo() == null ? "" : server.getRawUserInfo() + "@";
        String query = server.getRawQuery() == null ? options : server.getRawQuery();
        return server.getScheme() + "://" + user + host + ":" + at + server.getRawPath() + "?" + query;
    }

    TcpProxy proxy(int app) {
        return proxies.get(app);
    }

    @Override
    public void close() throws IOException {
        for (TcpProxy proxy : proxies) {
            proxy.close();
        }
    }
}
