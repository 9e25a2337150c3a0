package dev.semel.admin;

import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Scope;
import dev.semel.Step;
import dev.semel.adapter.Claim;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.Caller;
import dev.semel.admin.access.Role;
import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.json.JsonReader;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.Evidence;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** An API on a store in memory, called as a transport would. */
final class Console implements AutoCloseable {

    static final String HOST = "console.test:8090";
    static final Operation PAYMENT = Operation.named("create-payment");

    /** Nanoseconds that only move when a test says so. */
    long nanos;

    final MisuseLog misuse = new MisuseLog(AdminTime.system());
    final LiveFigures live = new LiveFigures(() -> nanos);
    final ReplayLog replays = new ReplayLog(AdminTime.system());
    final MemoryStore store = new MemoryStore();
    final SemelEngine semel = SemelEngine.on(store)
            .listener(live)
            .listener(misuse)
            .listener(replays)
            .build();
    final AdminApi api;

    Console() {
        this(builder -> builder.writes(true));
    }

    Console(UnaryOperator<AdminApi.Builder> settings) {
        this(new NamedCallers(), settings);
    }

    Console(Authenticator access, UnaryOperator<AdminApi.Builder> settings) {
        api = settings.apply(AdminApi.on(semel, access).time(() -> nanos).live(live, misuse, replays))
                .build();
    }

    /** Believes a header: the tests of log-ins use the real thing. */
    private static final class NamedCallers implements Authenticator {

        @Override
        public String kind() {
            return "application";
        }

        @Override
        public Optional<Caller> callerOf(AdminRequest request) {
            return request.headers().first("X-Test-Caller").map(text -> {
                String[] parts = text.split("/", -1);
                return new Caller(parts[0], Role.ofLabel(parts[1]), request.address());
            });
        }
    }

    AdminResponse send(String method, String path, Headers headers, String body) {
        return api.handle(new AdminRequest(
                method,
                path,
                Headers.of("Host", HOST).and(headers),
                body.getBytes(StandardCharsets.UTF_8),
                "203.0.113.7",
                false));
    }

    AdminResponse post(String caller, String path, String body) {
        return send(
                "POST",
                AdminApi.CALLS + path,
                Headers.of("Content-Type", "application/json").with("X-Test-Caller", caller),
                body);
    }

    AdminResponse get(String caller, String path) {
        return send("GET", AdminApi.CALLS + path, Headers.of("X-Test-Caller", caller), "");
    }

    static JsonObject json(AdminResponse response) {
        return JsonReader.object(response.body().bytes());
    }

    static String text(AdminResponse response) {
        return new String(response.body().bytes(), StandardCharsets.UTF_8);
    }

    static String codeOf(AdminResponse response) {
        return json(response).requiredText("code", 100);
    }

    static String quoted(String text) {
        return Json.object()
                .with("x", text)
                .toString()
                .replaceFirst("^\\{\"x\":", "")
                .replaceFirst("}$", "");
    }

    /** A request with this key, as the application makes it. */
    Claim retry(String scope, String key) {
        return semel.begin(intent(scope, key));
    }

    /** A request with this key and another content. */
    void misused(String scope, String key) {
        Claim refused = semel.begin(Intent.of(PAYMENT, new Scope(scope), Key.of(key), new Fingerprint("v1:other")));
        if (!(refused instanceof Claim.Refused)) {
            throw new AssertionError("expected a refusal, but got " + refused);
        }
    }

    private static Intent intent(String scope, String key) {
        return Intent.of(PAYMENT, new Scope(scope), Key.of(key), new Fingerprint("v1:meant"));
    }

    /** A completed record with a response of this body. */
    long completed(String scope, String key, String body) {
        Claim.Granted granted = (Claim.Granted) semel.begin(intent(scope, key));
        RecordedResponse response =
                RecordedResponse.of(201, Headers.of("Content-Type", "text/plain"), Body.ofText(body));
        granted.attempt().settleAndWait(new Outcome.Completed(response.toResponse()));
        return fence(scope, key);
    }

    /** A record whose outcome is unknown. */
    long unknown(String scope, String key) {
        Claim.Granted granted = (Claim.Granted) semel.begin(intent(scope, key));
        granted.attempt().settleAndWait(new Outcome.Unknown("timeout"));
        return fence(scope, key);
    }

    /** A record whose attempt recorded a step before its outcome became unknown. */
    long unknownAfterStep(String scope, String key, String step, String result) {
        Claim.Granted granted = (Claim.Granted) semel.begin(intent(scope, key));
        try {
            granted.attempt().step(Step.named(step), Codec.text(), downstream -> result);
        } catch (Exception e) {
            throw new AssertionError("the step failed", e);
        }
        granted.attempt().settleAndWait(new Outcome.Unknown("timeout"));
        return fence(scope, key);
    }

    /** A record whose outcome is unknown, and that waits for a person. */
    void dead(String scope, String key) {
        unknown(scope, key);
        Lease lease = semel.find(Identity.of(scope, key)).orElseThrow().lease();
        store.reschedule(lease, new Reschedule.DeadLetter(0), new Evidence("test", "no answer"));
    }

    /** A record in progress. */
    long running(String scope, String key) {
        if (!(semel.begin(intent(scope, key)) instanceof Claim.Granted)) {
            throw new AssertionError("the key was used before");
        }
        return fence(scope, key);
    }

    long fence(String scope, String key) {
        return semel.find(Identity.of(scope, key)).orElseThrow().fence();
    }

    @Override
    public void close() {
        semel.close();
    }
}
