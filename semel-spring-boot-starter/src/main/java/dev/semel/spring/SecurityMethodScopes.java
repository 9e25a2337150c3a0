package dev.semel.spring;

import java.util.Optional;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** The user that Spring Security has authenticated. */
final class SecurityMethodScopes implements MethodScopes {

    @Override
    public Optional<String> current() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication == null
                        || !authentication.isAuthenticated()
                        || authentication instanceof AnonymousAuthenticationToken
                ? Optional.empty()
                : Optional.of(authentication.getName());
    }
}
