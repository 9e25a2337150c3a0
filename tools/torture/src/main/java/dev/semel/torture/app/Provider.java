package dev.semel.torture.app;

import dev.semel.Identity;
import dev.semel.torture.history.Receipt;
import dev.semel.torture.provider.Charge;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The provider as the application sees it. */
public interface Provider {

    /**
     * Sends a charge; empty when the provider refused it.
     *
     * @return fails with a {@link dev.semel.NotExecutedException} when it was not sent, and with a
     *     {@link dev.semel.OutcomeUnknownException} when it was, and no answer came
     */
    CompletionStage<Optional<Receipt>> charge(Charge charge);

    /** Asks what became of a charge. */
    Optional<Receipt> lookUp(String downstreamKey, String meaning, Identity identity) throws Exception;
}
