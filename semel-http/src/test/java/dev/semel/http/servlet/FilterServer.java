package dev.semel.http.servlet;

import dev.semel.http.Gate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.security.Principal;
import java.util.EnumSet;

/** A container with authentication, the filter, and one servlet. */
final class FilterServer {

    private final Gate gate;
    private final HttpServlet servlet;
    private EnumSet<DispatcherType> dispatches = EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);
    private String contextPath = "/";
    private Filter outer;
    private Container container;

    FilterServer(Gate gate, HttpServlet servlet) {
        this.gate = gate;
        this.servlet = servlet;
    }

    FilterServer contextPath(String path) {
        contextPath = path;
        return this;
    }

    FilterServer dispatches(EnumSet<DispatcherType> types) {
        dispatches = types;
        return this;
    }

    /** A filter before ours. */
    FilterServer outer(Filter filter) {
        outer = filter;
        return this;
    }

    void start() {
        container = Container.start(contextPath, (classes, context) -> {
            EnumSet<DispatcherType> requests = EnumSet.of(DispatcherType.REQUEST);
            Container.filter(context, FilterServer::authenticate, requests);
            if (outer != null) {
                Container.filter(context, outer, requests);
            }
            Container.filter(context, new SemelFilter(gate), dispatches);
            Container.servlet(context, servlet);
        });
    }

    /** Stands in for authentication: trusts the user that the header names. */
    static void authenticate(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest http = (HttpServletRequest) request;
        String user = http.getHeader("X-User") == null ? "alice" : http.getHeader("X-User");
        chain.doFilter(
                new HttpServletRequestWrapper(http) {
                    @Override
                    public Principal getUserPrincipal() {
                        return user.equals("anonymous") ? null : () -> user;
                    }
                },
                response);
    }

    int port() {
        return container.port();
    }

    void stop() {
        container.close();
    }
}
