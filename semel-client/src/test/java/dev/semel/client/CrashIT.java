package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.client.IntentJournal.Entry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A client that is killed")
class CrashIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Sends a payment with the name of an order, with a journal. */
    static final class Program {

        public static void main(String[] arguments) throws IOException {
            try (FileIntentJournal journal = FileIntentJournal.open(Path.of(arguments[0]))) {
                pay(journal, URI.create(arguments[1])).orElseThrow();
            }
        }

        static Result<String> pay(IntentJournal journal, URI payments) {
            HttpRequest request = HttpRequest.newBuilder(payments)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"amount\":100}"))
                    .build();
            return IdempotentClient.over(HttpClient.newHttpClient())
                    .journal(journal)
                    .build()
                    .send(ClientIntent.named("order-42", request), BodyHandlers.ofString());
        }
    }

    @Test
    void continues_with_the_same_key_so_that_there_is_one_effect(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("intents");
        PaymentServer payments = new PaymentServer();
        try (TestServer server = new TestServer()) {
            server.then(exchange -> payments.execute(exchange)).otherwise(payments);
            URI uri = server.uri("/payments");

            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Program.class.getName(),
                            path.toString(),
                            uri.toString())
                    .inheritIO()
                    .start();
            try {
                await().atMost(PATIENCE).until(() -> payments.effects().size() == 1 || !process.isAlive());
                assertThat(process.isAlive()).isTrue();
                assertThatThrownBy(() -> FileIntentJournal.open(path)).hasMessageContaining("is in use");
            } finally {
                process.destroyForcibly();
                assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }

            try (FileIntentJournal journal = FileIntentJournal.open(path)) {
                List<Entry> unfinished = journal.unfinished();
                assertThat(unfinished).extracting(Entry::name).containsExactly("order-42");

                Result.Answered<String> answer = Program.pay(journal, uri).orElseThrow();

                assertThat(answer.replayed()).isTrue();
                assertThat(answer.key()).isEqualTo(unfinished.get(0).key());
                assertThat(payments.effects()).containsExactly(answer.key());
                assertThat(server.keys()).containsExactly(answer.key());
                assertThat(server.received()).hasSize(2);
                assertThat(journal.unfinished()).isEmpty();
            }
        }
    }
}
