package dev.semel.examples.policies;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** Counts executions, so that the number in an answer shows whether it is a new one. */
@Component
class Executions {

    /** The answer to a client. */
    record Receipt(int number) {}

    private final AtomicInteger count = new AtomicInteger();

    Receipt next() {
        return new Receipt(count.incrementAndGet());
    }
}
