package dev.semel.spring.console;

import dev.semel.admin.access.Caller;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Finds the person behind a request to the console of a reactive application. An application with its own idea of users
 * defines a bean of this type; otherwise the principal's name and authorities decide.
 */
@FunctionalInterface
public interface ReactiveConsoleCallers {

    /** The person; empty when the request is not authenticated, or the user has none of the roles. */
    Mono<Caller> callerOf(ServerRequest request);
}
