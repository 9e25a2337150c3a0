package dev.semel.torture.app;

import dev.semel.Identity;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.torture.history.Receipt;
import dev.semel.torture.net.Wire;
import dev.semel.torture.provider.Charge;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The provider in its own process. */
final class RemoteProvider implements Provider {

    private final int port;
    private final Duration patience;

    /** A granted claim is delivered on a thread of the store, for which other calls wait. */
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "provider");
        thread.setDaemon(true);
        return thread;
    });

    RemoteProvider(int port, Duration patience) {
        this.port = port;
        this.patience = patience;
    }

    @Override
    public CompletionStage<Optional<Receipt>> charge(Charge charge) {
        return CompletableFuture.supplyAsync(() -> chargeBlocking(charge), threads);
    }

    private Optional<Receipt> chargeBlocking(Charge charge) {
        try {
            return ask("charge", charge.words());
        } catch (Wire.NotSentException e) {
            throw new NotExecutedException("the provider cannot be reached", e);
        } catch (IOException e) {
            throw new OutcomeUnknownException("the provider did not answer", e);
        }
    }

    @Override
    public Optional<Receipt> lookUp(String downstreamKey, String meaning, Identity identity) throws IOException {
        return ask(
                "look-up",
                List.of(
                        downstreamKey,
                        meaning,
                        identity.scope().value(),
                        identity.key().value()));
    }

    private Optional<Receipt> ask(String verb, List<String> words) throws IOException {
        List<String> question = new ArrayList<>(List.of(verb));
        question.addAll(words);
        List<String> answer = Wire.ask(port, patience, question);
        return answer.get(0).equals("receipt") ? Receipt.parse(answer.get(1)) : Optional.empty();
    }
}
