package dev.semel.examples.payments;

import dev.semel.examples.payments.orders.InvalidOrderException;
import dev.semel.examples.payments.orders.NoSuchOrderException;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;

/** Answers failures with {@code application/problem+json} and a stable {@code code}. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

    @ExceptionHandler
    ProblemDetail invalid(InvalidPaymentException failure) {
        return invalid(failure.errors());
    }

    @ExceptionHandler
    ProblemDetail failed(PaymentFailedException failure) {
        return of(failure);
    }

    static ProblemDetail of(PaymentFailedException failure) {
        return switch (failure.answer()) {
            case DECLINED ->
                problem(HttpStatus.PAYMENT_REQUIRED, "payment_declined", "The provider declined the payment.");
            case USED_BEFORE ->
                problem(
                        HttpStatus.CONFLICT,
                        "key_used_before",
                        "This key has paid for something else before; nothing was charged. Use a new key.");
            case FAILED, CHARGED ->
                problem(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        "provider_error",
                        "The provider failed; nothing was charged.");
        };
    }

    @ExceptionHandler
    ProblemDetail notFound(NoSuchPaymentException failure) {
        return problem(HttpStatus.NOT_FOUND, "payment_not_found", "There is no such payment.");
    }

    @ExceptionHandler
    ProblemDetail invalid(InvalidOrderException failure) {
        return invalid(failure.errors());
    }

    @ExceptionHandler
    ProblemDetail notFound(NoSuchOrderException failure) {
        return problem(HttpStatus.NOT_FOUND, "order_not_found", "There is no such order.");
    }

    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException failure, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String field = fieldOf(failure.getCause());
        ProblemDetail problem = field == null
                ? problem(HttpStatus.BAD_REQUEST, "invalid_request", "The body is not a JSON object that can be read.")
                : invalid(Map.of(field, "is of the wrong type"));
        return ResponseEntity.badRequest().body(problem);
    }

    private static @Nullable String fieldOf(@Nullable Throwable cause) {
        if (cause instanceof JacksonException failure && !failure.getPath().isEmpty()) {
            return failure.getPath().get(0).getPropertyName();
        }
        return null;
    }

    private static ProblemDetail invalid(Map<String, String> errors) {
        ProblemDetail problem = problem(
                HttpStatus.BAD_REQUEST, "invalid_request", "Check these fields: " + String.join(", ", errors.keySet()));
        problem.setProperty("errors", errors);
        return problem;
    }

    private static ProblemDetail problem(HttpStatus status, String code, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create("urn:payments:problem:" + code));
        problem.setProperty("code", code);
        return problem;
    }
}
