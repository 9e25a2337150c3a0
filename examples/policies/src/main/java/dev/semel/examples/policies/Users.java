package dev.semel.examples.policies;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** Stands in for authentication: trusts the name after {@code Bearer}. It runs before the idempotency filter. */
@Component
@Order(1)
class Users extends HttpFilter {

    private static final String SCHEME = "Bearer ";

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (authorization == null || !authorization.startsWith(SCHEME)) {
            chain.doFilter(request, response);
            return;
        }
        Principal user = () -> authorization.substring(SCHEME.length());
        HttpServletRequest known = new HttpServletRequestWrapper(request) {
            @Override
            public Principal getUserPrincipal() {
                return user;
            }
        };
        chain.doFilter(known, response);
    }
}
