package dev.semel.spi;

import dev.semel.Lease;
import dev.semel.Response;
import java.util.concurrent.CompletionStage;

/** A store that keeps what an attempt has finished on its way, so that the next attempt need not do it again. */
public interface StepStore extends Store {

    /**
     * Appends a finished step to a record in progress under this fence, and ends the doubt about it. Recording the same
     * step again does no harm: the answer to the first time may have been lost.
     */
    CompletionStage<StepAnswer> step(Lease lease, String name, Response result);
}
