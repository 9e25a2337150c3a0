package dev.semel.server.gateway;

import dev.semel.http.Headers;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request as the service gets it: that of the client without what concerns its connection, and with the client's
 * address, scheme and host. What a client claims about those itself is dropped, unless it is a trusted proxy.
 */
final class ForwardedHead {

    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED_HOST = "X-Forwarded-Host";
    private static final String FORWARDED_PROTO = "X-Forwarded-Proto";
    private static final String FORWARDED = "Forwarded";

    /** What a proxy says of its client, and what concerns the way to the gateway alone. */
    private static final Set<String> NOT_FORWARDED = HopByHop.ignoringCase(
            "forwarded",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-proto",
            "x-forwarded-port",
            "x-forwarded-prefix",
            "x-real-ip",
            "host",
            "expect",
            "via");

    private static final String OF_THE_GATEWAY = "semel-";

    /** What the gateway itself says of each request: four lines about the client, {@code Via}, and cookies in one line. */
    private static final int ADDED_LINES = 6;

    /** Requests with these methods have a body by their meaning, so that an empty one is sent as such. */
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final HttpMethod method;
    private final RequestTarget target;
    private final Headers headers;
    private final boolean takesTrailers;

    private ForwardedHead(HttpMethod method, RequestTarget target, Headers headers, boolean takesTrailers) {
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.takesTrailers = takesTrailers;
    }

    /**
     * The other end of a connection.
     *
     * @param trusted whether it is a proxy whose words about its client are believed
     */
    record Client(String address, boolean trusted) {}

    /** @param received all lines of the request's head */
    static ForwardedHead of(HttpServerRequest request, Headers received, RequestTarget target, Client client) {
        Set<String> named = HopByHop.namesInConnection(request.headers());
        List<Headers.Line> lines = new ArrayList<>(received.lines().size() + ADDED_LINES);
        List<String> cookies = List.of();
        for (Headers.Line line : received) {
            if (!HopByHop.isEndToEnd(line.name(), named)) {
                continue;
            }
            // Services for which headers are variables take a dash and an underscore for the same.
            String name = line.name().replace('_', '-');
            if (name.equalsIgnoreCase("cookie")) {
                cookies = with(cookies, line.value());
            } else if (!NOT_FORWARDED.contains(name)
                    && !name.regionMatches(true, 0, OF_THE_GATEWAY, 0, OF_THE_GATEWAY.length())) {
                lines.add(line);
            }
        }
        if (!cookies.isEmpty()) {
            // HTTP/2 may send each cookie in a line of its own, HTTP/1.1 may not.
            lines.add(new Headers.Line("Cookie", String.join("; ", cookies)));
        }
        Headers believed = client.trusted() ? HopByHop.endToEnd(request.headers()) : Headers.NONE;
        addAboutClient(lines, request, believed, target, client.address());
        String version = request.version() == HttpVersion.HTTP_2 ? "2.0" : "1.1";
        lines.add(new Headers.Line("Via", after(received, "Via", version + " semel")));
        boolean takesTrailers = "trailers".equalsIgnoreCase(request.getHeader("TE"));
        return new ForwardedHead(request.method(), target, new Headers(lines), takesTrailers);
    }

    /** @param believed what earlier proxies said, as far as it is believed */
    private static void addAboutClient(
            List<Headers.Line> lines,
            HttpServerRequest request,
            Headers believed,
            RequestTarget target,
            String address) {
        String proto = request.isSSL() ? "https" : "http";
        lines.add(new Headers.Line(FORWARDED_FOR, after(believed, FORWARDED_FOR, address)));
        lines.add(new Headers.Line(
                FORWARDED_PROTO, believed.first(FORWARDED_PROTO).orElse(proto)));
        lines.add(
                new Headers.Line(FORWARDED_HOST, believed.first(FORWARDED_HOST).orElse(target.authority())));
        String node = address.contains(":") ? "\"[" + address + "]\"" : address;
        String host = target.authority().isEmpty()
                ? ""
                : ";host=\"" + target.authority().replace("\"", "") + "\"";
        lines.add(new Headers.Line(FORWARDED, after(believed, FORWARDED, "for=" + node + host + ";proto=" + proto)));
    }

    /** What earlier proxies said, and then this. */
    private static String after(Headers received, String name, String own) {
        List<String> before = received.all(name);
        return before.isEmpty() ? own : String.join(", ", with(before, own));
    }

    private static List<String> with(List<String> texts, String another) {
        List<String> more = new ArrayList<>(texts);
        more.add(another);
        return more;
    }

    /** The same head, and one more line. */
    ForwardedHead with(String name, @Nullable String value) {
        return value == null ? this : new ForwardedHead(method, target, headers.with(name, value), takesTrailers);
    }

    /** The same head, without a line. */
    ForwardedHead without(String name) {
        return new ForwardedHead(method, target, headers.without(name), takesTrailers);
    }

    RequestOptions toOptions(Upstream upstream) {
        String path = target.path().equals("*") ? "*" : upstream.address().basePath() + target.pathAndQuery();
        return upstream.request().setMethod(method).setURI(path);
    }

    /** Writes the head of a request whose body is known. */
    void applyTo(HttpClientRequest request, int bodyLength) {
        applyTo(request);
        if (bodyLength > 0 || WITH_BODY.contains(method.name())) {
            request.putHeader("Content-Length", String.valueOf(bodyLength));
        }
    }

    /** Writes the head without saying anything about the body. */
    void applyTo(HttpClientRequest request) {
        HostAndPort authority =
                target.authority().isEmpty() ? null : HostAndPort.parseAuthority(target.authority(), -1);
        if (authority != null) {
            request.authority(authority);
        }
        MultiMap sent = request.headers();
        headers.forEach(line -> sent.add(line.name(), line.value()));
        if (takesTrailers && request.version() == HttpVersion.HTTP_2) {
            // It concerns one connection, but gRPC's servers insist on it, and the gateway passes trailers on.
            request.putHeader("TE", "trailers");
        }
    }
}
