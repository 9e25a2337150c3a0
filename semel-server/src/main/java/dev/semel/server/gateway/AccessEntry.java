package dev.semel.server.gateway;

import dev.semel.Identity;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the access log says about one request. Bodies, queries, credentials and values of headers are never in it; key and owner
 * are digests.
 */
final class AccessEntry {

    /** As long as a line of a log can be read. */
    private static final int LONGEST_TEXT = 512;

    private static final Pattern TRACE = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.*");
    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private final AccessLog log;
    private final HttpServerRequest request;
    private final long began;
    private @Nullable Route route;
    private @Nullable Identity identity;

    AccessEntry(AccessLog log, HttpServerRequest request) {
        this.log = log;
        this.request = request;
        this.began = log.time().nanos();
    }

    void on(Route taken) {
        route = taken;
    }

    /** @param of the request; null when it has no key, or one without an owner */
    void of(@Nullable Identity of) {
        identity = of;
    }

    void write(ClientAnswer client, boolean complete) {
        JsonObject line = new JsonObject()
                .put("time", log.time().now().toString())
                .put("method", request.method().name())
                .put("path", pathOf(request.uri()))
                .put("status", client.statusSent())
                .put("outcome", client.outcome().label());
        putUnlessEmpty(line, "code", client.code());
        line.put("duration_us", TimeUnit.NANOSECONDS.toMicros(log.time().nanos() - began))
                .put("bytes_in", request.bytesRead())
                .put("bytes_out", request.response().bytesWritten())
                .put("protocol", request.version().alpnName())
                .put("client", request.remoteAddress().hostAddress());
        if (!complete) {
            line.put("client_left", true);
        }
        if (route != null) {
            line.put("route", route.config().name());
            line.put("upstream", route.upstream().address().toString());
        }
        if (identity != null) {
            line.put("key", identity.key().redacted());
            line.put("scope", Scopes.redacted(identity.scope()));
        }
        putUnlessEmpty(line, "trace", traceOf(request.getHeader("traceparent")));
        String id = request.getHeader("X-Request-Id");
        if (id != null && REQUEST_ID.matcher(id).matches()) {
            line.put("request_id", id);
        }
        log.write(line.encode());
    }

    private static void putUnlessEmpty(JsonObject line, String name, String value) {
        if (!value.isEmpty()) {
            line.put(name, value);
        }
    }

    private static String traceOf(@Nullable String parent) {
        Matcher matcher = TRACE.matcher(parent == null ? "" : parent);
        return matcher.matches() ? matcher.group(1) : "";
    }

    /** Without the query, and without what an absolute URI has before its path, in which a password can be. */
    private static String pathOf(@Nullable String uri) {
        String target = uri == null ? "" : uri;
        int scheme = target.indexOf("://");
        if (scheme > 0 && target.charAt(0) != '/') {
            int slash = target.indexOf('/', scheme + 3);
            target = slash < 0 ? "/" : target.substring(slash);
        }
        int end = 0;
        while (end < target.length() && end < LONGEST_TEXT && "?#;".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        return target.substring(0, end);
    }
}
