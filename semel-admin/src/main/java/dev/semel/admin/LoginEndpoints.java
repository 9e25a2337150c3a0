package dev.semel.admin;

import dev.semel.admin.Endpoint.Call;
import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.Caller;
import dev.semel.admin.access.LoginLimit;
import dev.semel.admin.access.Sessions;
import dev.semel.admin.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Log-in and log-out of browsers. */
final class LoginEndpoints {

    private static final int LONGEST_TOKEN = 500;

    private final Authenticator access;
    private final Sessions sessions;
    private final LoginLimit limit;

    LoginEndpoints(Authenticator access, AdminTime time) {
        this.access = access;
        this.sessions = new Sessions(time);
        this.limit = new LoginLimit(time);
    }

    List<Endpoint> all() {
        return List.of(
                new Endpoint("POST", "/login", null, false, this::login),
                new Endpoint("POST", "/logout", null, false, this::logout));
    }

    /** A page of the log-in that a browser visits. */
    AdminResponse page(AdminRequest request) {
        requireAllowed(request);
        return access.loginPage(request, sessions)
                .orElseThrow(
                        () -> new AdminProblem(404, "not_found", "There is nothing here", "Log in on the console."));
    }

    /** The caller of a request; one whose token is wrong too often is not asked any more. */
    Optional<Caller> callerOf(AdminRequest request) {
        Optional<Caller> inSession = sessions.callerOf(request);
        if (inSession.isPresent() || !access.kind().equals("token")) {
            return inSession.or(() -> access.callerOf(request));
        }
        if (request.headers().first("Authorization").isEmpty()) {
            return Optional.empty();
        }
        requireAllowed(request);
        Optional<Caller> caller = access.callerOf(request);
        if (caller.isEmpty()) {
            limit.failed(request.address());
        }
        return caller;
    }

    private void requireAllowed(AdminRequest request) {
        if (!limit.allows(request.address())) {
            throw new AdminProblem(429, "too_many_failures", "Too many log-ins have failed", "Try again in a minute.");
        }
    }

    private AdminResponse login(Call call) {
        call.body().allow(Set.of("token"));
        String token = call.body().requiredText("token", LONGEST_TOKEN);
        requireAllowed(call.request());
        String address = call.request().address();
        Caller caller = access.login(token.strip(), address).orElse(null);
        if (caller == null) {
            limit.failed(address);
            throw new AdminProblem(401, "login_failed", "The token is wrong", "Ask an administrator for a token.");
        }
        BooleanSupplier allowed = () -> access.login(token.strip(), address).equals(Optional.of(caller));
        return AdminResponse.json(
                        200,
                        Json.object()
                                .with("name", caller.name())
                                .with("role", caller.role().label()))
                .with("Set-Cookie", sessions.start(caller, call.request().secure(), allowed));
    }

    private AdminResponse logout(Call call) {
        return AdminResponse.json(200, Json.object().with("loggedOut", true))
                .with("Set-Cookie", sessions.end(call.request()));
    }
}
