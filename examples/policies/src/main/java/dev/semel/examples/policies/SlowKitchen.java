package dev.semel.examples.policies;

import dev.semel.examples.policies.Executions.Receipt;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code in-progress} and {@code max-wait}: takes so long that a duplicate finds it running. */
@RestController
class SlowKitchen {

    private static final long SECONDS = 3;

    private final Executions executions;

    SlowKitchen(Executions executions) {
        this.executions = executions;
    }

    @PostMapping({"/in-progress-conflict", "/in-progress-accepted", "/in-progress-wait"})
    @ResponseStatus(HttpStatus.CREATED)
    Receipt cook() throws InterruptedException {
        TimeUnit.SECONDS.sleep(SECONDS);
        return executions.next();
    }
}
