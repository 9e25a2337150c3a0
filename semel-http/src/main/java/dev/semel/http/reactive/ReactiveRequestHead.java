package dev.semel.http.reactive;

import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.LinkedCaseInsensitiveMap;

/** The head of a reactive request as the protocol sees it. */
final class ReactiveRequestHead {

    private ReactiveRequestHead() {}

    /** @param user the authenticated caller; null for an anonymous one */
    static RequestView of(ServerHttpRequest request, @Nullable String user) {
        return RequestView.of(request.getMethod().name(), request.getURI().getRawPath())
                .rawQuery(request.getURI().getRawQuery())
                .headers(lines(request.getHeaders()))
                .user(user)
                .basePath(request.getPath().contextPath().value())
                .routingPath(routingPath(request.getPath().pathWithinApplication()))
                .build();
    }

    /** The path that Spring itself matches, segment by segment: decoded, and without path parameters. */
    private static String routingPath(PathContainer path) {
        StringBuilder decoded = new StringBuilder();
        for (PathContainer.Element element : path.elements()) {
            if (element instanceof PathContainer.PathSegment segment) {
                // To Spring, a slash that was sent encoded is part of its segment.
                decoded.append(segment.valueToMatch().replace("/", "%2F"));
            } else {
                decoded.append(element.value());
            }
        }
        return decoded.toString();
    }

    /** A copy, by names whose case does not count. */
    static Map<String, List<String>> copyOf(HttpHeaders headers) {
        Map<String, List<String>> copy = new LinkedCaseInsensitiveMap<>(headers.size(), Locale.ROOT);
        headers.forEach((name, values) -> copy.put(name, new ArrayList<>(values)));
        return copy;
    }

    static Headers lines(HttpHeaders headers) {
        List<Headers.Line> lines = new ArrayList<>();
        headers.forEach((name, values) -> values.forEach(value -> lines.add(new Headers.Line(name, value))));
        return new Headers(lines);
    }
}
