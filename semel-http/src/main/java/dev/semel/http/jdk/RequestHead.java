package dev.semel.http.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import dev.semel.http.RequestView;
import java.net.URI;

/** The head of a request to the JDK's server as the protocol sees it. */
final class RequestHead {

    private RequestHead() {}

    static RequestView of(HttpExchange exchange) {
        URI uri = exchange.getRequestURI();
        String path = uri.getRawPath();
        RequestView.Builder view = RequestView.of(exchange.getRequestMethod(), path == null ? "" : path)
                .rawQuery(uri.getRawQuery())
                .headers(HeaderLines.of(exchange.getRequestHeaders()));
        HttpPrincipal principal = exchange.getPrincipal();
        if (principal != null) {
            // With its realm: equal names of two realms are two callers.
            view.user(principal.getName());
        }
        return view.build();
    }
}
