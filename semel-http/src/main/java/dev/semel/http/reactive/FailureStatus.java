package dev.semel.http.reactive;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * The status of an exception that Spring renders as a response outside of all filters, as a container does with
 * {@code sendError}.
 *
 * @param message for the client; null when the exception has none
 * @param headers of the exception, such as {@code Allow}
 */
record FailureStatus(int status, @Nullable String message, HttpHeaders headers) {

    /** Spring Security answers these in its own filter. They are matched by name, since it may not be on the class path. */
    private static final Map<String, HttpStatus> SECURITY = Map.of(
            "org.springframework.security.access.AccessDeniedException",
            HttpStatus.FORBIDDEN,
            "org.springframework.security.core.AuthenticationException",
            HttpStatus.UNAUTHORIZED);

    /** The status of an exception; empty for most. */
    static Optional<FailureStatus> of(Throwable failure) {
        if (failure instanceof ErrorResponse response) {
            return Optional.of(new FailureStatus(
                    response.getStatusCode().value(), response.getBody().getDetail(), response.getHeaders()));
        }
        HttpStatus refused = refusalOf(failure.getClass());
        if (refused != null) {
            return Optional.of(new FailureStatus(refused.value(), null, HttpHeaders.EMPTY));
        }
        ResponseStatus said = AnnotatedElementUtils.findMergedAnnotation(failure.getClass(), ResponseStatus.class);
        return said == null
                ? Optional.empty()
                : Optional.of(new FailureStatus(said.code().value(), said.reason(), HttpHeaders.EMPTY));
    }

    private static @Nullable HttpStatus refusalOf(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            HttpStatus status = SECURITY.get(each.getName());
            if (status != null) {
                return status;
            }
        }
        return null;
    }
}
