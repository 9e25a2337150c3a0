package dev.semel.spring.console;

import dev.semel.admin.access.Caller;
import dev.semel.admin.access.Role;
import dev.semel.spring.ConsoleProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Callers by the authorities of the principal: the highest role of which the user has an authority. */
final class AuthorityCallers implements ConsoleCallers {

    private final ConsoleProperties properties;
    private final BiPredicate<Principal, String> authorities;

    /** @param authorities whether a principal has an authority, besides what the container says of roles */
    AuthorityCallers(ConsoleProperties properties, BiPredicate<Principal, String> authorities) {
        this.properties = properties;
        this.authorities = authorities;
    }

    @Override
    public Optional<Caller> callerOf(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        if (principal == null) {
            return Optional.empty();
        }
        return roleOf(request, principal).map(role -> new Caller(principal.getName(), role, request.getRemoteAddr()));
    }

    private Optional<Role> roleOf(HttpServletRequest request, Principal principal) {
        if (hasOne(properties.administrator(), request, principal)) {
            return Optional.of(Role.ADMINISTRATOR);
        }
        if (hasOne(properties.operator(), request, principal)) {
            return Optional.of(Role.OPERATOR);
        }
        return hasOne(properties.viewer(), request, principal) ? Optional.of(Role.VIEWER) : Optional.empty();
    }

    private boolean hasOne(List<String> wanted, HttpServletRequest request, Principal principal) {
        return wanted.stream()
                .anyMatch(authority -> request.isUserInRole(authority) || authorities.test(principal, authority));
    }
}
