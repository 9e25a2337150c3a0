package dev.semel.admin.access;

import dev.semel.http.Headers;

/** The headers that every response carries. */
public final class SecurityHeaders {

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
                    + " frame-ancestors 'none'";

    private static final Headers ALL = Headers.of("Content-Security-Policy", POLICY)
            .with("X-Content-Type-Options", "nosniff")
            .with("X-Frame-Options", "DENY")
            .with("Referrer-Policy", "no-referrer")
            .with("Cross-Origin-Opener-Policy", "same-origin")
            .with("Cross-Origin-Resource-Policy", "same-origin")
            .with("Permissions-Policy", "camera=(), geolocation=(), microphone=()");

    private SecurityHeaders() {}

    public static Headers all() {
        return ALL;
    }
}
