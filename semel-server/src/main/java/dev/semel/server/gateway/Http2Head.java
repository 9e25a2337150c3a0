package dev.semel.server.gateway;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules for the head of a request in HTTP/2, where names and values can hold what would be another line, or another request,
 * in HTTP/1.1 (RFC 9113, section 8.2).
 */
final class Http2Head {

    /** Those that concern a connection, which HTTP/2 does not have. */
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    private static final String TOKEN = "!#$%&'*+-.^_`|~";

    private Http2Head() {}

    static boolean isMalformed(HttpServerRequest request) {
        if (request.version() != HttpVersion.HTTP_2) {
            return false;
        }
        String scheme = request.scheme();
        if (!isToken(request.method().name()) || !("http".equals(scheme) || "https".equals(scheme))) {
            return true;
        }
        for (Map.Entry<String, String> line : request.headers()) {
            String name = line.getKey();
            boolean pseudo = name.startsWith(":");
            if (pseudo || !isName(name) || OF_CONNECTION.contains(name) || !isValue(line.getValue())) {
                return true;
            }
        }
        return !hasOneHost(request)
                || request.headers().getAll("content-length").size() > 1
                || !asksForTrailersOnly(request);
    }

    private static boolean hasOneHost(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll("host");
        return hosts.isEmpty()
                || (hosts.size() == 1
                        && request.authority() != null
                        && hosts.get(0).equalsIgnoreCase(request.authority().toString()));
    }

    private static boolean asksForTrailersOnly(HttpServerRequest request) {
        List<String> te = request.headers().getAll("te");
        return te.isEmpty() || (te.size() == 1 && te.get(0).equals("trailers"));
    }

    private static boolean isName(String name) {
        return isToken(name) && name.chars().noneMatch(c -> c >= 'A' && c <= 'Z');
    }

    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || TOKEN.indexOf(c) >= 0);
    }

    /** Spaces at its ends are forbidden, too: HTTP/1.1 would lose them, and the service see another value. */
    private static boolean isValue(String value) {
        boolean trimmed = value.isEmpty() || (!isSpace(value.charAt(0)) && !isSpace(value.charAt(value.length() - 1)));
        return trimmed && value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7F));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
