package dev.semel.admin;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.admin.Endpoint.Call;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Caller;
import dev.semel.admin.json.Json;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RoutePolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Calls about the console itself, the process it runs in, and its store. */
final class StatusEndpoints {

    private static final Identity ABSENT = Identity.of("semel-console", "health");

    private final AdminSettings settings;
    private final StoreFigures storeFigures;

    StatusEndpoints(AdminSettings settings) {
        this.settings = settings;
        this.storeFigures = new StoreFigures(settings.semel().records(), settings.time());
    }

    List<Endpoint> all() {
        return List.of(
                new Endpoint("GET", "/session", null, false, this::session),
                new Endpoint("GET", "/openapi.json", null, false, this::openApi),
                Endpoint.read("GET", "/figures", call -> AdminResponse.json(200, figures())),
                Endpoint.read("GET", "/figures/stream", this::stream),
                Endpoint.read("GET", "/misuse", this::misuse),
                Endpoint.read("GET", "/operations", this::operations),
                Endpoint.read("GET", "/health", this::health),
                Endpoint.read("GET", "/doctor", this::doctor));
    }

    private AdminResponse session(Call call) {
        Caller caller = call.caller();
        return AdminResponse.json(
                200,
                Json.object()
                        .with("authenticated", caller != null)
                        .with("name", caller == null ? null : caller.name())
                        .with("role", caller == null ? null : caller.role().label())
                        .with("readOnly", !settings.writes())
                        .with("authentication", settings.access().kind())
                        .with("approvals", settings.approvals())
                        .with(
                                "operationsKnown",
                                !settings.catalog().operations().isEmpty())
                        .with("live", settings.live() != null)
                        .with("store", caller == null ? null : settings.storeName()));
    }

    private AdminResponse openApi(Call call) {
        try (InputStream in = StatusEndpoints.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("this jar lacks openapi.json");
            }
            return AdminResponse.of(200, "application/json", in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Json figures() {
        Json json = Json.object().with("at", settings.time().instant()).with("live", settings.live() != null);
        storeFigures.addTo(json);
        if (settings.live() != null) {
            settings.live().addTo(json);
        }
        return json;
    }

    private AdminResponse stream(Call call) {
        return new AdminResponse(
                200,
                Headers.of("Content-Type", "text/event-stream").with("X-Accel-Buffering", "no"),
                Body.ofText(event()),
                this::event);
    }

    private String event() {
        return "event: figures\ndata: " + figures() + "\n\n";
    }

    private AdminResponse misuse(Call call) {
        MisuseLog log = settings.misuse();
        return AdminResponse.json(
                200,
                Json.object().with("available", log != null).with("misuses", log == null ? List.of() : log.list()));
    }

    private AdminResponse operations(Call call) {
        return AdminResponse.json(
                200,
                Json.object()
                        .with(
                                "operations",
                                settings.catalog().operations().stream()
                                        .map(StatusEndpoints::operation)
                                        .toList())
                        .with(
                                "routes",
                                settings.catalog().routes().stream()
                                        .map(StatusEndpoints::route)
                                        .toList()));
    }

    private static Json operation(Operation operation) {
        return Json.object()
                .with("name", operation.name())
                .with(
                        "policy",
                        Json.object()
                                .with("retentionMs", operation.retention())
                                .with("leaseMs", operation.lease())
                                .with("maxWaitMs", operation.maxWait())
                                .with("reexecutable", operation.reexecutable())
                                .with("failures", label(operation.failures())));
    }

    private static Json route(Catalog.Route route) {
        RoutePolicy policy = route.policy();
        Json json = Json.object().with("match", route.match()).with("protected", policy != null);
        return policy == null
                ? json
                : json.with("operation", policy.operation().name())
                        .with("key", label(policy.keyMode()))
                        .with("keyHygiene", label(policy.keyHygiene()))
                        .with("inProgress", label(policy.inProgress()))
                        .with("mismatchStatus", policy.mismatchStatus())
                        .with("storeDown", label(policy.storeDown()))
                        .with("transactional", policy.isInTransaction())
                        .with("maxRequestBody", policy.maxRequestBody())
                        .with("maxRecordedResponse", policy.maxRecordedResponse());
    }

    private static String label(@Nullable Enum<?> constant) {
        return constant == null ? "" : constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private AdminResponse health(Call call) {
        settings.semel().unknownOutcomes().findSealed(ABSENT);
        return AdminResponse.json(200, Json.object().with("store", "up").with("storeName", settings.storeName()));
    }

    private AdminResponse doctor(Call call) {
        List<Json> findings = settings.doctor().get().stream()
                .map(finding -> Json.object().with("level", finding.level()).with("text", finding.text()))
                .toList();
        return AdminResponse.json(200, Json.object().with("findings", findings));
    }
}
