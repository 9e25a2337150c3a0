package dev.semel.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which headers of a response are neither recorded nor replayed: those that belong to one connection, one moment or one
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
            // Ours, said anew with every answer.
            "idempotency-replayed",
            "idempotency-protected");

    private ReplayHeaders() {}

    /** The headers that may be kept: also without those that {@code Connection} names. */
    public static Headers keepable(Headers headers) {
        Set<String> ofConnection = headers.all("Connection").stream()
                .flatMap(value -> Stream.of(value.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        List<Headers.Line> kept = headers.lines().stream()
                .filter(line -> {
                    String name = line.name().toLowerCase(Locale.ROOT);
                    return !NEVER.contains(name) && !ofConnection.contains(name);
                })
                .toList();
        return new Headers(kept);
    }
}
