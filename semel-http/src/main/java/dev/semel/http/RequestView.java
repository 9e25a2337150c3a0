package dev.semel.http;

import dev.semel.Operation;
import dev.semel.fingerprint.Parts;
import dev.semel.http.key.KeyInput;
import dev.semel.http.key.Peer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request as the protocol sees it, without its transport.
 *
 * <p>There are two paths. {@link #path()} is what the client sent, byte for byte, and counts in the fingerprint.
 * {@link #routingPath()} is what the application's own routing matches, decoded and normalized, and decides which
 * {@link RoutePolicy} applies: {@code /pay%6Dents;v=1} must not escape the policy of {@code /payments}.
 */
public final class RequestView implements KeyInput {

    /** What counts in a request that is on no route. */
    private static final RoutePolicy DEFAULTS =
            RoutePolicy.of(Operation.named("http")).build();

    private final Head head;
    private final Body body;
    private final @Nullable RoutePolicy policy;
    private final @Nullable Supplier<?> own;

    /** Made when it is first asked for: a key that is derived from content needs it, and then the fingerprint. */
    private @Nullable Parts parts;

    private record Head(
            String method,
            String path,
            String routingPath,
            @Nullable String rawQuery,
            Headers headers,
            @Nullable String user,
            @Nullable Peer peer,
            String basePath) {}

    private RequestView(Head head, Body body, @Nullable RoutePolicy policy, @Nullable Supplier<?> own) {
        this.head = head;
        this.body = body;
        this.policy = policy;
        this.own = own;
    }

    /**
     * Starts a view of a request without a body.
     *
     * @param path as the client sent it, without the query
     */
    public static Builder of(String method, String path) {
        return new Builder(method, path);
    }

    /** The same request, with its body. */
    public RequestView withBody(Body newBody) {
        return new RequestView(head, newBody, policy, own);
    }

    /** The same request, which the transport also has in a form of its own. */
    public RequestView withOwn(Supplier<?> newOwn) {
        return new RequestView(head, body, policy, newOwn);
    }

    /**
     * The request as the transport has it, such as a {@code jakarta.servlet.http.HttpServletRequest} or a
     * {@code org.springframework.web.server.ServerWebExchange}; empty where it has none of this type. For checks that need more
     * than this view.
     */
    public <T> Optional<T> unwrap(Class<T> type) {
        Object request = own == null ? null : own.get();
        return type.isInstance(request) ? Optional.of(type.cast(request)) : Optional.empty();
    }

    /** The same request, on a route with this policy. */
    RequestView onRoute(RoutePolicy newPolicy) {
        return new RequestView(head, body, newPolicy, own);
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String path() {
        return head.path();
    }

    /** The path that routes are matched against: decoded, without path parameters and dot segments. */
    public String routingPath() {
        return head.routingPath();
    }

    /** What the application's paths begin with and routes leave out, such as a servlet context path; often empty. */
    public String basePath() {
        return head.basePath();
    }

    /** The query as the client sent it; {@code null} for none. */
    public @Nullable String rawQuery() {
        return head.rawQuery();
    }

    /** The canonical query: decoded pairs, encoded in one way, sorted by name. */
    @Override
    public String query() {
        return CanonicalQuery.of(head.rawQuery());
    }

    @Override
    public @Nullable String route() {
        return policy == null ? null : policy.operation().name();
    }

    public Headers headers() {
        return head.headers();
    }

    @Override
    public List<String> header(String name) {
        return head.headers().all(name);
    }

    /** The array itself, not a copy: never change it. */
    @Override
    public byte[] body() {
        return body.bytes();
    }

    @Override
    public @Nullable String mediaType() {
        return head.headers().first("Content-Type").orElse(null);
    }

    @Override
    public Parts parts() {
        Parts known = parts;
        if (known == null) {
            known = RequestParts.of(this, policy == null ? DEFAULTS : policy);
            parts = known;
        }
        return known;
    }

    @Override
    public @Nullable String user() {
        return head.user();
    }

    @Override
    public @Nullable Peer peer() {
        return head.peer();
    }

    @Override
    public String toString() {
        return head.method() + " " + head.path();
    }

    /** Collects the parts of a request. */
    public static final class Builder {

        private final String method;
        private final String path;
        private @Nullable String routingPath;
        private @Nullable String rawQuery;
        private Headers headers = Headers.NONE;
        private @Nullable String user;
        private @Nullable Peer peer;
        private String basePath = "";

        private Builder(String method, String path) {
            this.method = method;
            this.path = path;
        }

        /** The path as the transport itself routes it; derived from the received path where it is not given. */
        public Builder routingPath(String decoded) {
            routingPath = decoded;
            return this;
        }

        public Builder basePath(String newBasePath) {
            basePath = newBasePath;
            return this;
        }

        public Builder rawQuery(@Nullable String query) {
            rawQuery = query;
            return this;
        }

        public Builder headers(Headers newHeaders) {
            headers = newHeaders;
            return this;
        }

        /** The authenticated caller. */
        public Builder user(@Nullable String name) {
            user = name;
            return this;
        }

        /** The other end of the connection. */
        public Builder peer(@Nullable Peer other) {
            peer = other;
            return this;
        }

        public RequestView build() {
            String routing = routingPath == null ? RoutingPath.of(path) : RoutingPath.simplified(routingPath);
            return new RequestView(
                    new Head(method, path, routing, rawQuery, headers, user, peer, basePath), Body.EMPTY, null, null);
        }
    }
}
