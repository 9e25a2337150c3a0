package dev.semel.examples.policies;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** Counts what was executed, so that an answer shows whether it is a new one. */
@Component
class Executions {

    /** What a client gets. */
    record Receipt(int number) {}

    private final AtomicInteger count = new AtomicInteger();

    Receipt next() {
        return new Receipt(count.incrementAndGet());
    }
}
