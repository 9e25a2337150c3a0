package dev.semel.server.gateway;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request is for: host, path and query as the client sent them.
 *
 * @param authority host and port
 * @param query without the question mark; null for none
 */
record RequestTarget(
        String authority, String path, @Nullable String query) {

    /** Reads the target; null when it can be understood in more than one way, so that the request has to be refused. */
    static @Nullable RequestTarget of(HttpServerRequest request) {
        String authority = authorityOf(request);
        String uri = request.uri();
        if (authority == null || uri == null || uri.isEmpty() || hasForbidden(uri)) {
            return null;
        }
        String target = uri;
        if (uri.charAt(0) != '/') {
            if (uri.equals("*") && request.method().name().equals("OPTIONS")) {
                return new RequestTarget(authority, "*", null);
            }
            target = originForm(uri, authority);
            if (target == null) {
                return null;
            }
        }
        int question = target.indexOf('?');
        return question < 0
                ? new RequestTarget(authority, target, null)
                : new RequestTarget(authority, target.substring(0, question), target.substring(question + 1));
    }

    /** The absolute form, which clients send to proxies, as path and query; null when it names another host than the header. */
    private static @Nullable String originForm(String uri, String authority) {
        int scheme = uri.indexOf("://");
        String name = scheme < 0 ? "" : uri.substring(0, scheme).toLowerCase(Locale.ROOT);
        if (!name.equals("http") && !name.equals("https")) {
            return null;
        }
        int from = scheme + 3;
        int end = from;
        while (end < uri.length() && uri.charAt(end) != '/' && uri.charAt(end) != '?') {
            end++;
        }
        if (!uri.substring(from, end).equalsIgnoreCase(authority)) {
            return null;
        }
        String rest = uri.substring(end);
        return rest.startsWith("/") ? rest : "/" + rest;
    }

    private static boolean hasForbidden(String uri) {
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == '#' || c == '\\') {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String authorityOf(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll("Host");
        if (request.version() != HttpVersion.HTTP_1_0 && request.version() != HttpVersion.HTTP_1_1) {
            return request.authority() == null ? null : request.authority().toString();
        }
        if (hosts.size() > 1 || (hosts.isEmpty() && request.version() == HttpVersion.HTTP_1_1)) {
            return null;
        }
        String host = hosts.isEmpty() ? "" : hosts.get(0);
        if (host.endsWith(":")) {
            // An empty port is the usual one (RFC 3986, section 3.2.3); the HTTP library takes it for 0.
            host = host.substring(0, host.length() - 1);
        }
        boolean plain = host.indexOf(',') < 0 && host.indexOf('/') < 0 && host.indexOf('@') < 0;
        return plain && (host.isEmpty() || HostAndPort.parseAuthority(host, -1) != null) ? host : null;
    }

    /** Path and query. */
    String pathAndQuery() {
        return query == null ? path : path + "?" + query;
    }

    /** The host alone, in lower case. */
    String host() {
        int colon = authority.lastIndexOf(':');
        String host = colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
        return host.toLowerCase(Locale.ROOT);
    }
}
