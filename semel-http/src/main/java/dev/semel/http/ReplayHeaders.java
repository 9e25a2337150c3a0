package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The headers of a response that are neither recorded nor replayed: those that belong to one connection, one moment or one
 * session, and those that may carry credentials.
 */
public final class ReplayHeaders {

    private static final Set<String> NEVER = Set.of(
            "set-cookie",
            "set-cookie2",
            "authorization",
            "proxy-authorization",
            "www-authenticate",
            "proxy-authenticate",
            "authentication-info",
            "proxy-authentication-info",
            "date",
            "connection",
            "proxy-connection",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            // Computed from the replayed body.
            "content-length",
            // Our own, set anew on every answer.
            "idempotency-replayed",
            "idempotency-protected",
            "idempotency-expires",
            "idempotency-age",
            "idempotent-replayed",
            "repeatability-result");

    private ReplayHeaders() {}

    /** The headers that may be kept: also without those that {@code Connection} names. */
    public static Headers keepable(Headers headers) {
        List<String> connection = headers.all("Connection");
        Set<String> ofConnection = connection.isEmpty() ? Set.of() : namesIn(connection);
        List<Headers.Line> kept = new ArrayList<>(headers.lines().size());
        for (Headers.Line line : headers) {
            String name = line.name().toLowerCase(Locale.ROOT);
            if (!NEVER.contains(name) && !ofConnection.contains(name)) {
                kept.add(line);
            }
        }
        return kept.size() == headers.lines().size() ? headers : new Headers(kept);
    }

    private static Set<String> namesIn(List<String> lists) {
        return lists.stream()
                .flatMap(value -> Stream.of(value.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }
}
