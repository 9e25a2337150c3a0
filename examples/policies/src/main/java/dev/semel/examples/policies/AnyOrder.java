package dev.semel.examples.policies;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The handler of all examples that need no code but an entry in {@code application.yaml}. */
@RestController
class AnyOrder {

    private final Executions executions;

    AnyOrder(Executions executions) {
        this.executions = executions;
    }

    @PostMapping({
        "/key-required",
        "/key-optional",
        "/key-hygiene",
        "/key-content",
        "/key-content-header",
        "/key-field",
        "/key-user-action",
        "/key-time-window",
        "/semantic-fields",
        "/mismatch-status",
        "/fingerprint-headers",
        "/store-down",
        "/retention-preset",
        "/retention-duration",
        "/unprotected"
    })
    @ResponseStatus(HttpStatus.CREATED)
    Executions.Receipt place() {
        return executions.next();
    }
}
