package dev.semel.server.gateway.config;

import org.jspecify.annotations.Nullable;

/** What a file gives to verify the owners of keys by. A scope that needs more is a mistake of the file. */
record VerifiedOwners(
        TrustedProxies trusted, JwtConfig jwt, @Nullable TlsConfig tls) {

    void require(ConfigNode node, ScopeConfig scope) {
        if (scope instanceof ScopeConfig.Header header && trusted.isEmpty()) {
            throw node.wrong(
                    "scope",
                    "the header " + header.name() + " is chosen by the client unless a proxy sets it: name that proxy's"
                            + " address in trusted-proxies");
        }
        if (scope instanceof ScopeConfig.Jwt token && jwt.jwks() == null) {
            throw node.wrong(
                    "scope",
                    "jwt:" + token.claim() + " needs the keys of the issuer: name their file or URL as jwt.jwks");
        }
        if (scope instanceof ScopeConfig.Mtls && (tls == null || tls.clientCa() == null)) {
            throw node.wrong("scope", "mtls needs certificates of clients: name who signs them as tls.client-ca");
        }
    }

    void require(ConfigNode root, ReplayCheckConfig check) {
        if (check instanceof ReplayCheckConfig.Claim claim && jwt.jwks() == null) {
            throw root.wrong(
                    "replay-check",
                    "the claim " + claim.name() + " needs the keys of the issuer: name their file or URL as jwt.jwks");
        }
    }
}
