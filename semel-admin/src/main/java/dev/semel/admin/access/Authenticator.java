package dev.semel.admin.access;

import java.util.Optional;

/** Finds out who sends a request. */
public interface Authenticator {

    /** How callers prove themselves, for the console: {@code none}, {@code token}, {@code oidc} or {@code application}. */
    String kind();

    /** The caller; empty when the request proves none. */
    Optional<Caller> callerOf(AdminRequest request);

    /**
     * The caller whose token this is, for a log-in.
     *
     * @param token as the person typed it
     */
    default Optional<Caller> login(String token, String address) {
        return Optional.empty();
    }

    /**
     * A page of the log-in, below {@code /semel/login/}; empty when there is no such page.
     *
     * @param sessions where a log-in that succeeds begins
     */
    default Optional<AdminResponse> loginPage(AdminRequest request, Sessions sessions) {
        return Optional.empty();
    }

    /** Believes the transport, which has authenticated the caller. */
    static Authenticator application() {
        return new Authenticator() {
            @Override
            public String kind() {
                return "application";
            }

            @Override
            public Optional<Caller> callerOf(AdminRequest request) {
                return Optional.ofNullable(request.caller());
            }
        };
    }

    /** Lets every request in as one administrator: only for a listener that no other machine reaches. */
    static Authenticator none(String name) {
        return new Authenticator() {
            @Override
            public String kind() {
                return "none";
            }

            @Override
            public Optional<Caller> callerOf(AdminRequest request) {
                return Optional.of(new Caller(name, Role.ADMINISTRATOR, request.address()));
            }
        };
    }
}
