package dev.semel.spring;

import dev.semel.Failures;
import java.util.Optional;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;

/**
 * What Spring Security's exceptions mean: that nothing was executed, like the 401 or 403 that clients are answered. They are
 * turned into that outside of the filter, which must not take them for failures.
 */
final class SecurityFailures implements Failures.Rule {

    @Override
    public Optional<Failures> judge(Exception failure) {
        return failure instanceof AccessDeniedException || failure instanceof AuthenticationException
                ? Optional.of(Failures.RETRY)
                : Optional.empty();
    }
}
