package dev.semel.examples.payments;

import dev.semel.admin.access.Caller;
import dev.semel.admin.access.Role;
import dev.semel.spring.console.ConsoleCallers;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Lets the person at this machine use the console, as an example without log-ins can. An application with Spring Security needs
 * no such class: the authorities of its users decide.
 */
@Component
final class ConsoleAccess implements ConsoleCallers {

    /** Another name could lead a page of another site here. */
    private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    @Override
    public Optional<Caller> callerOf(HttpServletRequest request) {
        return NAMES.contains(request.getServerName())
                ? Optional.of(new Caller("operator", Role.ADMINISTRATOR, request.getRemoteAddr()))
                : Optional.empty();
    }
}
