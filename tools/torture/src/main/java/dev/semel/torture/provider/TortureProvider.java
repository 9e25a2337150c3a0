package dev.semel.torture.provider;

import dev.semel.Identity;
import dev.semel.torture.history.HistoryLog;
import dev.semel.torture.history.LedgerEvent;
import dev.semel.torture.history.Receipt;
import dev.semel.torture.net.WireServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The provider as a process: {@code TortureProvider LEDGER LATE_MILLIS}.
 *
 * <p>Prints {@code ready PORT}, and ends when its standard input does. A charge is on disk before it is answered.
 */
public final class TortureProvider {

    /** Longer than any caller waits, so that no caller is left when the provider answers. */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    /** Answers are given in rounds, so that those who wait for them go on together and share what they do next. */
    private static final long ROUND_MILLIS = 160;

    private static final List<String> NOTHING = List.of("nothing");

    private TortureProvider() {}

    public static void main(String[] arguments) throws IOException {
        HistoryLog ledger = new HistoryLog(Path.of(arguments[0]));
        Books books = new Books(
                event -> write(ledger, event),
                InstantSource.system(),
                (delay, what) -> CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(what),
                Duration.ofMillis(Long.parseLong(arguments[1])));
        try (WireServer server = new WireServer(question -> answer(books, question))) {
            System.out.println("ready " + server.port());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static void write(HistoryLog ledger, LedgerEvent event) {
        if (event instanceof LedgerEvent.Charged || event instanceof LedgerEvent.Declined) {
            ledger.writeDurably(event);
        } else {
            ledger.write(event);
        }
    }

    private static CompletionStage<Optional<List<String>>> answer(Books books, List<String> question) {
        List<String> words = question.subList(1, question.size());
        if (question.get(0).equals("charge")) {
            return books.charge(Charge.of(words))
                    .thenCompose(receipt -> inTheNextRound(Optional.of(lines(receipt))))
                    .toCompletableFuture()
                    .orTimeout(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
        }
        Optional<Receipt> found = books.lookUp(words.get(0), words.get(1), Identity.of(words.get(2), words.get(3)));
        return CompletableFuture.completedFuture(Optional.of(lines(found)));
    }

    private static <T> CompletionStage<T> inTheNextRound(T answer) {
        long wait = ROUND_MILLIS - InstantSource.system().millis() % ROUND_MILLIS;
        return CompletableFuture.supplyAsync(
                () -> answer, CompletableFuture.delayedExecutor(wait, TimeUnit.MILLISECONDS));
    }

    private static List<String> lines(Optional<Receipt> receipt) {
        return receipt.map(each -> List.of("receipt", each.text())).orElse(NOTHING);
    }
}
