package dev.semel.micronaut;

import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.net.URI;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;

/** The head of a request of Micronaut as the protocol sees it. */
final class RequestHead {

    private RequestHead() {}

    static RequestView of(HttpRequest<?> request) {
        URI uri = request.getUri();
        return RequestView.of(request.getMethodName(), uri.getRawPath())
                .rawQuery(uri.getRawQuery())
                .headers(lines(request.getHeaders()))
                .user(request.getUserPrincipal().map(Principal::getName).orElse(null))
                .build();
    }

    static Headers lines(HttpHeaders headers) {
        List<Headers.Line> lines = new ArrayList<>();
        for (String name : headers.names()) {
            headers.getAll(name).forEach(value -> lines.add(new Headers.Line(name, value)));
        }
        return new Headers(lines);
    }
}
