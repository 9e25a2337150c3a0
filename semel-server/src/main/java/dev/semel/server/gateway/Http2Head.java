package dev.semel.server.gateway;

import dev.semel.http.Headers;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Set;

/**
 * The rules for the head of a request in HTTP/2, where names and values can hold what would be another line, or another request,
 * in HTTP/1.1 (RFC 9113, section 8.2).
 */
final class Http2Head {

    /** Those that concern a connection, which HTTP/2 does not have. */
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    private static final String MARKS_OF_TOKEN = "!#$%&'*+-.^_`|~";

    private static final char DELETE = 0x7F;

    private Http2Head() {}

    static boolean isMalformed(HttpServerRequest request, Headers received) {
        if (request.version() != HttpVersion.HTTP_2) {
            return false;
        }
        String scheme = request.scheme();
        if (!isToken(request.method().name()) || !("http".equals(scheme) || "https".equals(scheme))) {
            return true;
        }
        for (Headers.Line line : received) {
            String name = line.name();
            if (!isName(name) || OF_CONNECTION.contains(name) || !isValue(line.value())) {
                return true;
            }
        }
        return !hasOneHost(request, received)
                || received.all("content-length").size() > 1
                || !asksForTrailersOnly(received);
    }

    private static boolean hasOneHost(HttpServerRequest request, Headers received) {
        List<String> hosts = received.all("host");
        return hosts.isEmpty()
                || (hosts.size() == 1
                        && request.authority() != null
                        && hosts.get(0).equalsIgnoreCase(request.authority().toString()));
    }

    private static boolean asksForTrailersOnly(Headers received) {
        List<String> te = received.all("te");
        return te.isEmpty() || (te.size() == 1 && te.get(0).equals("trailers"));
    }

    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 'A' && name.charAt(i) <= 'Z') {
                return false;
            }
        }
        return isToken(name);
    }

    private static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isOfToken(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private static boolean isOfToken(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || MARKS_OF_TOKEN.indexOf(c) >= 0;
    }

    /** Spaces at its ends are forbidden, too: HTTP/1.1 would lose them, and the service see another value. */
    private static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == DELETE) {
                return false;
            }
        }
        return value.isEmpty() || (!isSpace(value.charAt(0)) && !isSpace(value.charAt(value.length() - 1)));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
