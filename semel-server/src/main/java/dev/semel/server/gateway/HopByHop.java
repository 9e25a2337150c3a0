package dev.semel.server.gateway;

import dev.semel.http.Headers;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The header lines of a message that concern one connection only, and end at the gateway (RFC 9110, section 7.6.1). */
final class HopByHop {

    private static final Set<String> NAMES = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding");

    private HopByHop() {}

    /** The other lines, in their order, without {@code Content-Length}: the body is framed anew. */
    static Headers endToEnd(MultiMap received) {
        Set<String> named = namesInConnection(received);
        List<Headers.Line> kept = new ArrayList<>();
        for (Map.Entry<String, String> line : received) {
            String name = line.getKey().toLowerCase(Locale.ROOT);
            boolean pseudo = name.startsWith(":");
            if (!pseudo && !NAMES.contains(name) && !named.contains(name) && !name.equals("content-length")) {
                kept.add(new Headers.Line(line.getKey(), line.getValue()));
            }
        }
        return new Headers(kept);
    }

    /** The names that the header Connection lists, in lower case. */
    static Set<String> namesInConnection(MultiMap received) {
        List<String> connection = received.getAll("Connection");
        if (connection.isEmpty()) {
            return Set.of();
        }
        Set<String> names = new HashSet<>();
        for (String value : connection) {
            for (String name : value.split(",", -1)) {
                names.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    /**
     * Whether a header has no name, or is spelled so that some services take it for the length of the body: those for which
     * headers are variables take a dash and an underscore for the same.
     */
    static boolean hasMisspelledName(MultiMap received) {
        for (Map.Entry<String, String> line : received) {
            String name = line.getKey();
            if (name.isEmpty()) {
                return true;
            }
            if (name.indexOf('_') >= 0
                    && FRAMING.contains(name.replace('_', '-').toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a client asks for a WebSocket. Every other protocol is left out like the rest of the connection's headers: in a
     * tunnel of HTTP/2 ({@code h2c}) requests would pass the gateway by.
     */
    static boolean asksForWebSocket(HttpServerRequest request) {
        MultiMap received = request.headers();
        return request.method().name().equals("GET")
                && "websocket".equalsIgnoreCase(received.get("Upgrade"))
                && received.getAll("Upgrade").size() == 1
                && namesInConnection(received).contains("upgrade")
                && !received.contains("Transfer-Encoding")
                && (!received.contains("Content-Length")
                        || received.get("Content-Length").equals("0"));
    }
}
