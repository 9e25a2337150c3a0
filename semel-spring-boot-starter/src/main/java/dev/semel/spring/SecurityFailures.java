package dev.semel.spring;

import dev.semel.Failures;
import java.util.Optional;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;

/**
 * The rule for Spring Security's exceptions: nothing was executed. Spring Security turns them into 401 or 403 outside of the
 * filter, which must not record them as failures.
 */
final class SecurityFailures implements Failures.Rule {

    @Override
    public Optional<Failures> judge(Exception failure) {
        return failure instanceof AccessDeniedException || failure instanceof AuthenticationException
                ? Optional.of(Failures.RETRY)
                : Optional.empty();
    }
}
