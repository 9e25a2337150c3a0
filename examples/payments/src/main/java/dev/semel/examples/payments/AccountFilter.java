package dev.semel.examples.payments;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Authentication: sets the account of the API key as the request's principal.
 *
 * <p>It runs before the idempotency filter, since only the owner of a payment may get its replay.
 */
@Component
@Order(1)
final class AccountFilter extends HttpFilter {

    private static final String SCHEME = "Bearer ";

    private static final Map<String, String> ACCOUNTS = Map.of("sk_test_acme", "acme", "sk_test_globex", "globex");

    private static final byte[] REFUSAL = """
            {"type":"urn:payments:problem:unauthorized","title":"Unauthorized","status":401,\
            "detail":"Send an API key: Authorization: Bearer sk_test_acme","code":"unauthorized"}""".getBytes(StandardCharsets.UTF_8);

    /** Webhooks carry a signature instead of an API key. */
    private static final String WEBHOOK = "/webhooks/provider";

    /** For operators, on this machine only; ConsoleAccess guards the console itself. */
    private static final List<String> OPERATORS = List.of("/actuator/", "/semel/");

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = request.getRequestURI();
        if (path.equals(WEBHOOK) || OPERATORS.stream().anyMatch(path::startsWith)) {
            chain.doFilter(request, response);
            return;
        }
        String account = accountOf(request.getHeader(HttpHeaders.AUTHORIZATION));
        if (account == null) {
            refuse(response);
            return;
        }
        Principal principal = () -> account;
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public Principal getUserPrincipal() {
                        return principal;
                    }
                },
                response);
    }

    private static @Nullable String accountOf(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        return ACCOUNTS.get(authorization.substring(SCHEME.length()).strip());
    }

    private static void refuse(HttpServletResponse response) throws IOException {
        response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"payments\"");
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(REFUSAL);
    }
}
