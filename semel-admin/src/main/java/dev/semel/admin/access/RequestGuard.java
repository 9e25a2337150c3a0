package dev.semel.admin.access;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses what a page of another site may have made a browser send. A client that is no browser sends neither header, and
 * proves itself by a token.
 */
public final class RequestGuard {

    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean loopbackOnly;

    /**
     * A guard of one console.
     *
     * @param loopbackOnly whether the request must address this machine by a name of loopback: against DNS rebinding
     */
    public RequestGuard(boolean loopbackOnly) {
        this.loopbackOnly = loopbackOnly;
    }

    /**
     * Checks the name by which the request addresses this machine.
     *
     * @throws AdminProblem when it is one that a page of another site may have made lead here
     */
    public void checkHost(AdminRequest request) {
        if (loopbackOnly && !LOOPBACK.contains(withoutPort(hostOf(request)))) {
            throw refused("wrong_host", "This console serves only requests to localhost, 127.0.0.1 or [::1].");
        }
    }

    private static String hostOf(AdminRequest request) {
        return request.headers().first("Host").orElse("");
    }

    /**
     * Checks where the request comes from.
     *
     * @throws AdminProblem when the request is refused
     */
    public void check(AdminRequest request) {
        checkHost(request);
        String host = hostOf(request);
        request.headers().first("Sec-Fetch-Site").ifPresent(site -> {
            if (!OWN_SITE.contains(site)) {
                throw refused("cross_site", "A page of another site sent this request.");
            }
        });
        request.headers().first("Origin").ifPresent(origin -> {
            if (!host.equalsIgnoreCase(authorityOf(origin))) {
                throw refused("cross_site", "A page of another origin sent this request.");
            }
        });
    }

    /**
     * Checks that the body is JSON, which no form can send.
     *
     * @throws AdminProblem when it is not
     */
    public void checkJson(AdminRequest request) {
        String type = request.headers().first("Content-Type").orElse("");
        int parameters = type.indexOf(';');
        String media = parameters < 0 ? type : type.substring(0, parameters);
        if (!media.strip().toLowerCase(Locale.ROOT).equals("application/json")) {
            throw new AdminProblem(415, "json_only", "Only JSON is accepted", "Send Content-Type: application/json.");
        }
    }

    private static AdminProblem refused(String code, String detail) {
        return new AdminProblem(403, code, "The request is refused", detail);
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return (colon > host.lastIndexOf(']') ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
    }

    private static String authorityOf(String origin) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority == null ? "" : authority;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
