package dev.semel.admin;

import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Caller;
import dev.semel.admin.access.Role;
import dev.semel.admin.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * One call of the admin API.
 *
 * @param path below {@code /semel/api/v1}
 * @param role who may call it at least; null for callers that are not logged in
 * @param writes whether it is refused where the console is read-only
 */
public record Endpoint(String method, String path, @Nullable Role role, boolean writes, Handler handler) {

    /** A call of an endpoint by a caller who may make it. */
    interface Handler {
        AdminResponse handle(Call call);
    }

    /**
     * A call.
     *
     * @param body an empty object for calls without one
     */
    record Call(AdminRequest request, @Nullable Caller caller, JsonObject body) {

        /** The caller of an endpoint that has a role. */
        Caller person() {
            if (caller == null) {
                throw new IllegalStateException("this endpoint has no role, so that it knows no caller");
            }
            return caller;
        }
    }

    static Endpoint read(String method, String path, Handler handler) {
        return new Endpoint(method, path, Role.VIEWER, false, handler);
    }

    static Endpoint write(Role role, String path, Handler handler) {
        return new Endpoint("POST", path, role, true, handler);
    }
}
