package dev.semel.spi;

import dev.semel.Evidence;
import dev.semel.Lease;
import dev.semel.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A store whose unknown records can be settled on evidence. */
public interface ReconcilableStore extends Store {

    /**
     * Settles an unknown record as completed or as not executed, together with the evidence. Refused unless the record is
     * unknown under this fence, so that a person, a webhook and a late answer can all try at once and one wins.
     */
    CompletionStage<SettleAnswer> reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention);
}
