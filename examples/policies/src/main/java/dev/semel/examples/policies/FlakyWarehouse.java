package dev.semel.examples.policies;

import dev.semel.examples.policies.Executions.Receipt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code failures: replay} and {@code retry}: the first attempt with a key fails. */
@RestController
class FlakyWarehouse {

    private final Executions executions;
    private final Set<String> tried = ConcurrentHashMap.newKeySet();

    FlakyWarehouse(Executions executions) {
        this.executions = executions;
    }

    @PostMapping({"/failures-replay", "/failures-retry"})
    @ResponseStatus(HttpStatus.CREATED)
    Receipt reserve(@RequestHeader("Idempotency-Key") String key) {
        if (tried.add(key)) {
            throw new ResponseStatusException(HttpStatus.BAD_GATEWAY, "the warehouse is closed");
        }
        return executions.next();
    }
}
