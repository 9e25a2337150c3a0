package dev.semel.examples.payments;

import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Sends Semel's own exceptions past Spring's resolvers to the idempotency filter, which knows what they mean.
 *
 * <p>Spring would take one whose cause is a connection that the <em>provider</em> reset for a client that has left, and
 * answer it with an empty 200, which would then be recorded.
 */
@Component
class SemelExceptions implements HandlerExceptionResolver, Ordered {

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        if (failure instanceof NotExecutedException notExecuted) {
            throw notExecuted;
        }
        if (failure instanceof OutcomeUnknownException unknown) {
            throw unknown;
        }
        return null;
    }
}
