package dev.semel.server.gateway;

import dev.semel.http.Answer;
import dev.semel.http.Headers;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The header lines of a message that concern one connection only, and end at the gateway (RFC 9110, section 7.6.1). */
final class HopByHop {

    /** With those that frame the body, which is framed anew. */
    private static final Set<String> NAMES = ignoringCase(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "content-length");

    private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding");

    private HopByHop() {}

    /** Names that are found in any case; without the copy in lower case that each look-up would need otherwise. */
    static Set<String> ignoringCase(String... names) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of(names));
        return Collections.unmodifiableSet(set);
    }

    /** All lines, in their order. */
    static Headers linesOf(MultiMap received) {
        List<Headers.Line> lines = new ArrayList<>();
        for (Map.Entry<String, String> line : received) {
            lines.add(new Headers.Line(line.getKey(), line.getValue()));
        }
        return new Headers(lines);
    }

    /** The other lines, in their order, without {@code Content-Length}: the body is framed anew. */
    static Headers endToEnd(MultiMap received) {
        Set<String> named = namesInConnection(received);
        List<Headers.Line> kept = new ArrayList<>();
        for (Map.Entry<String, String> line : received) {
            if (isEndToEnd(line.getKey(), named)) {
                kept.add(new Headers.Line(line.getKey(), line.getValue()));
            }
        }
        return new Headers(kept);
    }

    /**
     * Whether a line is meant for the other end, by its name.
     *
     * @param named what the header Connection of the message lists, in lower case
     */
    static boolean isEndToEnd(String name, Set<String> named) {
        return !NAMES.contains(name)
                && !name.startsWith(":")
                && (named.isEmpty() || !named.contains(name.toLowerCase(Locale.ROOT)));
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

    /** Whether a client waits for 100 (Continue) to send its body; one of HTTP/1.0 would take that for its answer. */
    static boolean awaitsContinue(HttpServerRequest request) {
        return "100-continue".equalsIgnoreCase(request.getHeader("Expect"))
                && request.version() != HttpVersion.HTTP_1_0;
    }

    /** Whether an answer declares a body that its status does not allow: it would be taken for the next answer. */
    static boolean declaresBodyInVain(HttpClientResponse answer) {
        if (Answer.canHaveBody(answer.statusCode())) {
            return false;
        }
        String length = answer.getHeader("Content-Length");
        return answer.getHeader("Transfer-Encoding") != null || (length != null && !length.equals("0"));
    }

    /** Whether an answer is in another transfer coding than chunks, which the gateway did not ask for and does not decode. */
    static boolean hasOtherCoding(MultiMap received) {
        List<String> codings = received.getAll("Transfer-Encoding");
        return !codings.isEmpty()
                && !(codings.size() == 1
                        && (codings.get(0).strip().equalsIgnoreCase("chunked")
                                || codings.get(0).strip().equalsIgnoreCase("identity")));
    }

    /**
     * Whether a header has no name, or is spelled so that some services take it for the length of the body: those for which
     * headers are variables take a dash and an underscore for the same.
     */
    static boolean hasMisspelledName(Headers received) {
        for (Headers.Line line : received) {
            String name = line.name();
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
