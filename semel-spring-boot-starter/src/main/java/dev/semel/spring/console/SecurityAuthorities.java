package dev.semel.spring.console;

import java.security.Principal;
import java.util.function.BiPredicate;
import org.springframework.security.core.Authentication;

/** The authorities of a user whom Spring Security has authenticated. */
final class SecurityAuthorities implements BiPredicate<Principal, String> {

    @Override
    public boolean test(Principal principal, String authority) {
        return principal instanceof Authentication authentication
                && authentication.isAuthenticated()
                && authentication.getAuthorities().stream()
                        .anyMatch(granted -> authority.equals(granted.getAuthority()));
    }
}
