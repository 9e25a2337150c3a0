package dev.semel.http.servlet;

import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/** The head of a servlet request as the protocol sees it. */
final class RequestHead {

    private RequestHead() {}

    static RequestView of(HttpServletRequest request) {
        RequestView.Builder view = RequestView.of(request.getMethod(), request.getRequestURI())
                .rawQuery(request.getQueryString())
                .headers(headers(request))
                .basePath(request.getContextPath());
        Principal principal = request.getUserPrincipal();
        if (principal != null) {
            view.user(principal.getName());
        }
        view.routingPath(routingPath(request));
        return view.build();
    }

    /** The path by which the container itself maps servlets, without the context path. */
    private static String routingPath(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    private static Headers headers(HttpServletRequest request) {
        List<Headers.Line> lines = new ArrayList<>();
        for (Enumeration<String> names = request.getHeaderNames(); names.hasMoreElements(); ) {
            String name = names.nextElement();
            for (Enumeration<String> values = request.getHeaders(name); values.hasMoreElements(); ) {
                lines.add(new Headers.Line(name, values.nextElement()));
            }
        }
        return new Headers(lines);
    }
}
