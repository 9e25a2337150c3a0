package dev.semel.http;

import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.key.IdempotencyKeyHeader;
import dev.semel.http.key.ScopeStrategy;
import java.net.URI;

/** Configures a {@link Gate}; everything has a default. */
public final class GateBuilder {

    /** The specification of the header, for services that have no page of their own about it. */
    static final URI DEFAULT_DOCUMENTATION =
            URI.create("https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/");

    final SemelEngine semel;
    final Routes routes;
    final ScopeStrategy scopes;
    String keyHeader = IdempotencyKeyHeader.NAME;
    boolean strict;
    static final String DEFAULT_STATUS_PATH = "/idempotency/status";

    String statusPath = DEFAULT_STATUS_PATH;
    URI documentation = DEFAULT_DOCUMENTATION;
    Fingerprinter fingerprinter = Fingerprinter.sha256();
    boolean describing = true;
    boolean trailers;

    GateBuilder(SemelEngine semel, Routes routes, ScopeStrategy scopes) {
        this.semel = semel;
        this.routes = routes;
        this.scopes = scopes;
    }

    /** The header that clients send their key in. */
    public GateBuilder keyHeader(String name) {
        IdempotencyKeyHeader.lenient(name);
        keyHeader = name;
        return this;
    }

    /** Accepts only keys that are an RFC 9651 String, on routes that do not say otherwise. */
    public GateBuilder strictKeys() {
        strict = true;
        return this;
    }

    /** The path of the resource that answers the state of a key, without the application's base path. */
    public GateBuilder statusPath(String path) {
        if (!path.startsWith("/") || !RoutingPath.of(path).equals(path)) {
            throw new IllegalArgumentException(
                    "status path \"" + path + "\": use a plain path, such as \"/idempotency/status\"");
        }
        statusPath = path;
        return this;
    }

    /** The page about keys that every problem of the protocol links to. */
    public GateBuilder documentation(URI page) {
        documentation = page;
        return this;
    }

    /** How requests are digested; with a secret, readers of the store cannot test guesses of what requests contained. */
    public GateBuilder fingerprinter(Fingerprinter newFingerprinter) {
        fingerprinter = newFingerprinter;
        return this;
    }

    /**
     * Whether method and path of a request are stored with its record, for operators to see. They are stored in clear: turn
     * this off where paths hold personal data.
     */
    public GateBuilder describeRequests(boolean wanted) {
        describing = wanted;
        return this;
    }

    /** Says that the transport sends the trailers of answers. Recorded responses with trailers are not replayed otherwise. */
    public GateBuilder sendsTrailers() {
        trailers = true;
        return this;
    }

    public Gate build() {
        return new Gate(this);
    }
}
