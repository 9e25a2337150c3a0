package dev.semel.admin;

import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.Caller;
import dev.semel.admin.access.RequestGuard;
import dev.semel.admin.access.SecurityHeaders;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.json.JsonReader;
import dev.semel.engine.SemelEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The admin API and the console.
 *
 * <ol>
 *   <li>Every response has the headers of {@link SecurityHeaders}.
 *   <li>{@link RequestGuard} refuses what a page of another site may have sent; calls with a body must be JSON.
 *   <li>The caller must have the role of the endpoint, and writing must be switched on where the endpoint writes.
 *   <li>Only then is the body read and the endpoint called.
 * </ol>
 *
 * <p>Blocks while it asks the store: transports call it on a thread that may wait.
 */
public final class AdminApi {

    /** Where the calls are, behind the place of the mount. */
    public static final String CALLS = "/api/v1";

    private static final String LOGIN = "/login/";

    /** How long a record is kept that is settled where its operation is not known: longer than any retention does no harm. */
    private static final Duration UNKNOWN_RETENTION = Duration.ofDays(30);

    private static final System.Logger LOG = System.getLogger("dev.semel.admin");
    private static final byte[] NO_BODY = "{}".getBytes(StandardCharsets.UTF_8);

    private final AdminSettings settings;
    private final RequestGuard guard;
    private final LoginEndpoints logins;
    private final List<Endpoint> endpoints;
    private final OpenStreams streams;
    private final ConsoleFiles files = new ConsoleFiles();

    private AdminApi(AdminSettings settings) {
        this.settings = settings;
        this.guard = new RequestGuard(settings.loopbackOnly());
        this.logins = new LoginEndpoints(settings.access(), settings.time());
        this.streams = new OpenStreams(settings.time());
        Approvals approvals = new Approvals(settings.semel(), this::retentionOf, settings.approvals() == 2);
        List<Endpoint> all = new ArrayList<>(logins.all());
        all.addAll(new StatusEndpoints(settings).all());
        all.addAll(new RecordEndpoints(settings.semel(), settings.replays()).all());
        all.addAll(new UnknownEndpoints(settings.semel(), approvals).all());
        this.endpoints = List.copyOf(all);
    }

    /** Starts to configure an API on an engine, which the caller closes. */
    public static Builder on(SemelEngine semel, Authenticator access) {
        return new Builder(semel, access);
    }

    private Duration retentionOf(String operation) {
        return settings.catalog().operations().stream()
                .filter(known -> known.name().equals(operation))
                .map(Operation::retention)
                .findFirst()
                .orElse(UNKNOWN_RETENTION);
    }

    /** Every call that there is. */
    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** Answers a request; never throws. */
    public AdminResponse handle(AdminRequest request) {
        AdminResponse response;
        try {
            response = answer(request);
        } catch (AdminProblem problem) {
            response = problem.toResponse();
        } catch (IllegalArgumentException e) {
            response = AdminProblem.invalid(String.valueOf(e.getMessage())).toResponse();
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.WARNING, "the store failed a call of the console", e);
            response = new AdminProblem(
                            503, "store_unavailable", "The store does not answer", String.valueOf(e.getMessage()))
                    .toResponse();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a call of the console failed", e);
            response = new AdminProblem(500, "internal_error", "The call failed", "The log of this process says why.")
                    .toResponse();
        }
        return hardened(response);
    }

    private static AdminResponse hardened(AdminResponse response) {
        AdminResponse hardened = new AdminResponse(
                response.status(), response.headers().and(SecurityHeaders.all()), response.body(), response.events());
        return response.headers().first("Cache-Control").isPresent()
                ? hardened
                : hardened.with("Cache-Control", "no-store");
    }

    private AdminResponse answer(AdminRequest request) {
        if (!request.path().startsWith(CALLS + "/")) {
            guard.checkHost(request);
            if (request.path().startsWith(LOGIN)) {
                return logins.page(request);
            }
            return files.answer(request);
        }
        guard.check(request);
        Endpoint endpoint = find(request);
        if (endpoint.method().equals("POST")) {
            guard.checkJson(request);
        }
        Caller caller = callerOf(request).orElse(null);
        checkAccess(endpoint, caller);
        if (request.body().bytes().length > AdminRequest.MAX_BODY) {
            throw new AdminProblem(413, "too_large", "The request is too large", "Send less than 2 MiB.");
        }
        JsonObject body = JsonReader.object(
                endpoint.method().equals("POST") ? request.body().bytes() : NO_BODY);
        AdminResponse response = endpoint.handler().handle(new Endpoint.Call(request, caller, body));
        Supplier<String> events = response.events();
        return events == null
                ? response
                : response.withEvents(streams.open(() -> {
                    checkAccess(endpoint, callerOf(request).orElse(null));
                    return events.get();
                }));
    }

    private Endpoint find(AdminRequest request) {
        String path = request.path().substring(CALLS.length());
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        List<Endpoint> here =
                endpoints.stream().filter(each -> each.path().equals(path)).toList();
        if (here.isEmpty()) {
            throw new AdminProblem(404, "no_such_call", "There is no such call", "GET openapi.json describes all.");
        }
        return here.stream()
                .filter(each -> each.method().equals(method))
                .findFirst()
                .orElseThrow(() -> new AdminProblem(
                        405,
                        "wrong_method",
                        "The method is wrong",
                        "Use " + here.get(0).method() + "."));
    }

    private Optional<Caller> callerOf(AdminRequest request) {
        return logins.callerOf(request);
    }

    private void checkAccess(Endpoint endpoint, @Nullable Caller caller) {
        if (endpoint.role() == null) {
            return;
        }
        if (caller == null) {
            throw new AdminProblem(401, "login_required", "Log in first", "Send a token, or log in on the console.");
        }
        if (!caller.role().includes(endpoint.role())) {
            throw new AdminProblem(
                    403,
                    "role_missing",
                    "Your role does not allow this",
                    "This needs the role " + endpoint.role().label() + "; yours is "
                            + caller.role().label() + ".");
        }
        if (endpoint.writes() && !settings.writes()) {
            throw new AdminProblem(
                    403,
                    "read_only",
                    "This console is read-only",
                    "Start it with --write, or set semel.console.write to true.");
        }
    }

    /** Configures an API. */
    public static final class Builder {

        private final SemelEngine semel;
        private final Authenticator access;
        private boolean writes;
        private int approvals = 1;
        private boolean loopbackOnly;
        private Catalog catalog = Catalog.NONE;
        private @Nullable LiveFigures live;
        private @Nullable MisuseLog misuse;
        private @Nullable ReplayLog replays;
        private Supplier<List<Finding>> doctor = List::of;
        private String storeName = "";
        private AdminTime time = AdminTime.system();

        private Builder(SemelEngine semel, Authenticator access) {
            this.semel = semel;
            this.access = access;
        }

        /** Lets callers settle, requeue, forget and prune; without it they only look. */
        public Builder writes(boolean allowed) {
            writes = allowed;
            return this;
        }

        /** How many people it takes to settle: one or two. */
        public Builder approvals(int people) {
            if (people != 1 && people != 2) {
                throw new IllegalArgumentException("approvals is " + people + ", it must be 1 or 2");
            }
            approvals = people;
            return this;
        }

        /** Serves only requests that address this machine as localhost: for a console without authentication. */
        public Builder loopbackOnly(boolean only) {
            loopbackOnly = only;
            return this;
        }

        public Builder catalog(Catalog known) {
            catalog = known;
            return this;
        }

        /** Shows what passes an engine that these listen to: rates and latencies, misused keys, replays. */
        public Builder live(LiveFigures figures, MisuseLog misuses, ReplayLog replayed) {
            live = figures;
            misuse = misuses;
            replays = replayed;
            return this;
        }

        /**
         * Checks the store when a person asks.
         *
         * @param findings what the checks find
         */
        public Builder doctor(Supplier<List<Finding>> findings) {
            doctor = findings;
            return this;
        }

        /** Names the store; without its password, since every viewer sees it. */
        public Builder storeName(String name) {
            storeName = name;
            return this;
        }

        /** Replaces the sense of elapsed time; tests use one of their own. */
        public Builder time(AdminTime newTime) {
            time = newTime;
            return this;
        }

        /**
         * Makes the API.
         *
         * @throws IllegalArgumentException when two people have to agree and nothing tells them apart
         */
        public AdminApi build() {
            if (approvals == 2 && access.kind().equals("none")) {
                throw new IllegalArgumentException(
                        "approvals 2 needs authentication: without it, nothing tells two people apart");
            }
            return new AdminApi(new AdminSettings(
                    semel,
                    access,
                    writes,
                    approvals,
                    loopbackOnly,
                    catalog,
                    live,
                    misuse,
                    replays,
                    doctor,
                    storeName,
                    time));
        }
    }
}
