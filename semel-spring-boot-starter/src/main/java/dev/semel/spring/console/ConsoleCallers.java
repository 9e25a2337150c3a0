package dev.semel.spring.console;

import dev.semel.admin.access.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Finds the person behind a request to the console. An application with its own idea of users defines a bean of this type;
 * otherwise the principal's name and authorities decide.
 */
@FunctionalInterface
public interface ConsoleCallers {

    /** The person; empty when the request is not authenticated, or the user has none of the roles. */
    Optional<Caller> callerOf(HttpServletRequest request);
}
