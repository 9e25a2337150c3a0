package dev.semel.admin.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Log-ins of browsers, in the memory of this process: a random cookie for each. */
public final class Sessions {

    /** The cookie's name. */
    public static final String COOKIE = "semel-session";

    /** A working day. */
    private static final Duration LONGEST = Duration.ofHours(10);

    private static final int MOST = 1000;

    private final AdminTime time;
    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private final SecureRandom random = new SecureRandom();

    public Sessions(AdminTime time) {
        this.time = time;
    }

    private record Session(Caller caller, long startedNanos, BooleanSupplier allowed) {}

    /** Starts a session that only time ends, and returns its {@code Set-Cookie}. */
    public String start(Caller caller, boolean secure) {
        return start(caller, secure, () -> true);
    }

    /**
     * Starts a session, and returns its {@code Set-Cookie}.
     *
     * @param allowed whether the caller may still be let in; asked on every request
     */
    public synchronized String start(Caller caller, boolean secure, BooleanSupplier allowed) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        removeEnded();
        if (sessions.size() >= MOST) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        sessions.put(id, new Session(caller, time.nanos(), allowed));
        return cookie(id, LONGEST.toSeconds(), secure);
    }

    private void removeEnded() {
        sessions.values().removeIf(session -> time.nanos() - session.startedNanos() > LONGEST.toNanos());
    }

    public synchronized Optional<Caller> callerOf(AdminRequest request) {
        removeEnded();
        return idOf(request)
                .map(sessions::get)
                .filter(session -> session.allowed().getAsBoolean())
                .map(session ->
                        new Caller(session.caller().name(), session.caller().role(), request.address()));
    }

    /** Ends the session of a request, and returns a {@code Set-Cookie} that removes the cookie. */
    public synchronized String end(AdminRequest request) {
        idOf(request).ifPresent(sessions::remove);
        return cookie("", 0, request.secure());
    }

    private static String cookie(String id, long seconds, boolean secure) {
        return COOKIE + "=" + id + "; Path=/semel; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                + (secure ? "; Secure" : "");
    }

    private static Optional<String> idOf(AdminRequest request) {
        for (String line : request.headers().all("Cookie")) {
            for (String pair : line.split(";", -1)) {
                String trimmed = pair.strip();
                if (trimmed.startsWith(COOKIE + "=")) {
                    return Optional.of(trimmed.substring(COOKIE.length() + 1));
                }
            }
        }
        return Optional.empty();
    }
}
