package dev.semel.http;

import dev.semel.Intent.ReplayCheck;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.key.IdempotencyKeyHeader;
import dev.semel.http.key.ScopeStrategy;
import java.net.URI;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

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
    static final String DEFAULT_POLICY_PATH = "/idempotency/policy";

    String statusPath = DEFAULT_STATUS_PATH;
    URI documentation = DEFAULT_DOCUMENTATION;
    Fingerprinter fingerprinter = Fingerprinter.sha256();
    boolean describing = true;
    boolean answerHeaders = true;
    InstantSource clock = InstantSource.system();
    ProblemRenderer renderer = ProblemRenderer.STANDARD;

    @Nullable
    String policyPath;

    boolean trailers;

    @Nullable
    ReplayCheck replayCheck;

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
        statusPath = plain("status path", path, DEFAULT_STATUS_PATH);
        return this;
    }

    /**
     * Publishes the policy of every route at this path, as JSON and for browsers as a page; without the application's base
     * path. Problems link to it unless there is a {@link #documentation} page. It is not published by default, since it shows
     * which operations there are.
     */
    public GateBuilder policyPath(String path) {
        policyPath = plain("policy path", path, DEFAULT_POLICY_PATH);
        return this;
    }

    private static String plain(String what, String path, String example) {
        if (!path.startsWith("/") || !RoutingPath.of(path).equals(path)) {
            throw new IllegalArgumentException(
                    what + " \"" + path + "\": use a plain path, such as \"" + example + "\"");
        }
        return path;
    }

    /** The page about keys that every problem of the protocol links to. */
    public GateBuilder documentation(URI page) {
        documentation = page;
        return this;
    }

    /**
     * Whether answers repeat the key and say until when they are kept, and replays how old they are. They do by default;
     * {@link Answer#REPLAYED} is sent in any case.
     */
    public GateBuilder answerHeaders(boolean wanted) {
        answerHeaders = wanted;
        return this;
    }

    /** The clock behind the date until which an answer is kept. It informs clients, and decides nothing. */
    public GateBuilder clock(InstantSource newClock) {
        clock = newClock;
        return this;
    }

    /** The form in which refusals are sent, instead of {@code application/problem+json} or that of the route's profile. */
    public GateBuilder problemRenderer(ProblemRenderer newRenderer) {
        renderer = newRenderer;
        return this;
    }

    Answers answers() {
        Promise promise = new Promise(Profile.STANDARD, answerHeaders ? clock : null, Headers.NONE);
        boolean own = policyPath != null && documentation.equals(DEFAULT_DOCUMENTATION);
        URI page = own ? URI.create(policyPath) : documentation;
        ProblemForm form = new ProblemForm(page, own, renderer, Profile.STANDARD, null);
        return new Answers(form, promise, statusPath, trailers);
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

    /**
     * Asks before a recorded response is replayed, or the status of a key is shown, whether the caller may have it. The check gets
     * the {@link RequestView} as its request. Without a check, every caller of the key's scope may have the response.
     */
    public GateBuilder replayCheck(@Nullable ReplayCheck check) {
        replayCheck = check;
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
