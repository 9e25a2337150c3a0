package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The code in docs/how-to/client.md")
class GuideTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    private final PaymentServer payments = new PaymentServer();
    private final TestServer server = new TestServer().otherwise(payments);

    @AfterEach
    void stop() {
        server.close();
    }

    /** Receives the output of the guide's code. */
    private static final class System {
        private static final Lines out = new Lines();
    }

    private static final class Lines {
        private final List<String> lines = new ArrayList<>();

        void println(String line) {
            lines.add(line);
        }

        void info(String line) {
            lines.add(line);
        }
    }

    private HttpRequest requestFor(String order) {
        return server.post("{\"order\":\"" + order + "\"}");
    }

    @Test
    void sends_and_retries() {
        HttpRequest request = server.payment();
        IdempotentClient client =
                IdempotentClient.over(HttpClient.newHttpClient()).build();

        Result<String> result = client.send(request, BodyHandlers.ofString());

        if (result instanceof Result.Answered<String> answer) {
            System.out.println(answer.status() + " " + answer.body() + (answer.replayed() ? " (replayed)" : ""));
        } else if (result.outcomeUnknown()) {
            System.out.println("it may have happened: ask again with the key " + result.key());
        } else {
            System.out.println("it has not happened");
        }
        Result<String> again = client.send(ClientIntent.of(request).withKey(result.key()), BodyHandlers.ofString());

        assertThat(System.out.lines).containsExactly("201 receipt for " + result.key());
        assertThat(again)
                .isInstanceOfSatisfying(
                        Result.Answered.class,
                        answer -> assertThat(answer.replayed()).isTrue());
        assertThat(payments.effects()).hasSize(1);
    }

    @Test
    void configures() throws GaveUpException {
        Lines log = new Lines();
        server.then(TestServer.loseAnswer());
        RetryRule rule = RetryRule.standard().alsoOn(409).notOn(500);
        RetryPolicy policy = RetryPolicy.DEFAULT
                .deadline(Duration.ofSeconds(30))
                .attemptTimeout(Duration.ofSeconds(5))
                .firstDelay(Duration.ofMillis(100))
                .longestDelay(Duration.ofSeconds(5));

        IdempotentClient client = IdempotentClient.over(HttpClient.newHttpClient())
                .retrying(policy)
                .retryRule(rule)
                .onRetry((key, attempts, setback, pause) -> log.info("attempt " + attempts + ": " + setback))
                .build();
        IdempotentClient strict = IdempotentClient.over(HttpClient.newHttpClient())
                .quotedKeys()
                .keyHeader("Idempotency-Key")
                .build();

        client.send(server.payment(), BodyHandlers.ofString()).orElseThrow();
        String key = strict.send(server.payment(), BodyHandlers.ofString())
                .orElseThrow()
                .key();
        assertThat(log.lines).singleElement().asString().startsWith("attempt 1: ");
        assertThat(server.keys()).contains("\"" + key + "\"");
    }

    @Test
    void resumes() throws IOException {
        try (FileIntentJournal journal = FileIntentJournal.open(directory.resolve("intents.journal"))) {
            IdempotentClient client = IdempotentClient.over(HttpClient.newHttpClient())
                    .journal(journal)
                    .build();

            for (IntentJournal.Entry entry : journal.unfinished()) {
                client.send(ClientIntent.named(entry.name(), requestFor(entry.name())), BodyHandlers.ofString());
            }
            client.send(ClientIntent.named("order-42", requestFor("order-42")), BodyHandlers.ofString());
        }
        assertThat(payments.effects()).hasSize(1);
    }

    @Test
    void is_this_code() throws IOException {
        String guide = Files.readString(Path.of("../docs/how-to/client.md"));
        String source = words(Files.readString(Path.of("src/test/java/dev/semel/client/GuideTest.java")));
        List<String> snippets =
                SNIPPET.matcher(guide).results().map(found -> found.group(1)).toList();

        assertThat(snippets)
                .hasSizeGreaterThan(4)
                .allSatisfy(snippet -> assertThat(source)
                        .contains(words(snippet.replace(
                                "Path.of(\"intents.journal\")", "directory.resolve(\"intents.journal\")"))));
    }

    /** Removes white space, which the formatter may place differently. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }
}
