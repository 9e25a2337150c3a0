package dev.semel.jaxrs;

import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.PathSegment;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The head of a Jakarta REST request as the protocol sees it. */
final class RequestHead {

    private RequestHead() {}

    static RequestView of(ContainerRequestContext request) {
        UriInfo uri = request.getUriInfo();
        URI received = uri.getRequestUri();
        RequestView.Builder view = RequestView.of(request.getMethod(), received.getRawPath())
                .rawQuery(received.getRawQuery())
                .headers(lines(request.getHeaders()))
                .basePath(basePath(uri))
                .routingPath(routingPath(uri));
        SecurityContext security = request.getSecurityContext();
        Principal principal = security == null ? null : security.getUserPrincipal();
        if (principal != null) {
            view.user(principal.getName());
        }
        return view.build();
    }

    private static String basePath(UriInfo uri) {
        String base = uri.getBaseUri().getRawPath();
        return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }

    /** The path that resources are matched against, segment by segment: decoded, and without matrix parameters. */
    private static String routingPath(UriInfo uri) {
        StringBuilder decoded = new StringBuilder();
        for (PathSegment segment : uri.getPathSegments(true)) {
            // A slash that was sent encoded is part of its segment.
            decoded.append('/').append(segment.getPath().replace("/", "%2F"));
        }
        return decoded.toString();
    }

    static Headers lines(MultivaluedMap<String, String> headers) {
        List<Headers.Line> lines = new ArrayList<>();
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            header.getValue().forEach(value -> lines.add(new Headers.Line(header.getKey(), value)));
        }
        return new Headers(lines);
    }
}
