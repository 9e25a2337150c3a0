package dev.semel.spring.console;

import dev.semel.admin.access.Caller;
import dev.semel.spring.ConsoleProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Callers by the authorities of the principal: the highest role of which the user has an authority. */
final class AuthorityCallers implements ConsoleCallers {

    private final ConsoleRoles roles;
    private final BiPredicate<Principal, String> authorities;

    /** @param authorities whether a principal has an authority, besides what the container says of roles */
    AuthorityCallers(ConsoleProperties properties, BiPredicate<Principal, String> authorities) {
        this.roles = new ConsoleRoles(properties);
        this.authorities = authorities;
    }

    @Override
    public Optional<Caller> callerOf(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        if (principal == null) {
            return Optional.empty();
        }
        return roles.of(authority -> request.isUserInRole(authority) || authorities.test(principal, authority))
                .map(role -> new Caller(principal.getName(), role, request.getRemoteAddr()));
    }
}
