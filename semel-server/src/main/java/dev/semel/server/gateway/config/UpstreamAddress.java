package dev.semel.server.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a service listens.
 *
 * @param basePath what the paths of forwarded requests get in front of them; empty for none
 * @param http2 whether it is spoken to in HTTP/2 (over TLS by ALPN, in clear text with prior knowledge) instead of HTTP/1.1
 */
public record UpstreamAddress(String host, int port, boolean tls, String basePath, boolean http2) {

    private static final String RIGHT = "; use http://HOST:PORT or https://HOST:PORT";

    /**
     * Understands a URL; {@code h2c://} stands for HTTP/2 in clear text, and {@code h2://} for HTTP/2 over TLS.
     *
     * @throws IllegalArgumentException when it is not the URL of a service
     */
    public static UpstreamAddress parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("upstream '" + url + "' is no URL" + RIGHT, e);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https") || scheme.equals("h2");
        boolean http2 = scheme.startsWith("h2");
        if (!tls && !scheme.equals("http") && !scheme.equals("h2c")) {
            throw new IllegalArgumentException(
                    "upstream '" + url + "' does not begin with http:// or https://" + RIGHT);
        }
        if (uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "upstream '" + url + "' must have a host, and neither query nor fragment" + RIGHT);
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("upstream: credentials in the URL are not sent" + RIGHT);
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
        return new UpstreamAddress(bare(uri.getHost()), port, tls, base, http2);
    }

    /** An IPv6 address without its brackets. */
    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        String scheme = http2 ? (tls ? "h2" : "h2c") : (tls ? "https" : "http");
        return scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + basePath;
    }
}
