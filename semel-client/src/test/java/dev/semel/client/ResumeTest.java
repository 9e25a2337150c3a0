package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.semel.client.IntentJournal.Begun;
import dev.semel.client.IntentJournal.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A client with a journal")
class ResumeTest {

    @TempDir
    Path directory;

    private final TestServer server = new TestServer();
    private final QuickTime time = new QuickTime();
    private FileIntentJournal journal;

    @BeforeEach
    void open() throws IOException {
        journal = FileIntentJournal.open(directory.resolve("intents"));
    }

    @AfterEach
    void stop() throws IOException {
        journal.close();
        server.close();
    }

    private IdempotentClientBuilder client() {
        return IdempotentClient.over(HttpClient.newHttpClient()).time(time).journal(journal);
    }

    private Result<String> send(ClientIntent intent) {
        return client().build().send(intent, BodyHandlers.ofString());
    }

    @Test
    void records_an_intent_before_it_is_sent() {
        server.then(exchange -> {
            assertThat(journal.unfinished()).extracting(Entry::name).containsExactly("order-42");
            TestServer.answer(201, "text/plain", "done").handle(exchange);
        });

        assertThat(send(ClientIntent.named("order-42", server.payment()))).isInstanceOf(Result.Answered.class);
        assertThat(journal.unfinished()).isEmpty();
    }

    @Test
    void continues_with_the_same_key_after_it_gave_up() throws IOException {
        server.otherwise(TestServer.loseAnswer());
        Result<String> first = send(ClientIntent.named("order-42", server.payment()));
        assertThat(first).isInstanceOf(Result.GaveUp.class);
        journal.close();
        open();

        server.otherwise(TestServer.answer(201, "text/plain", "done", "Idempotency-Replayed", "true"));
        assertThat(journal.unfinished()).extracting(Entry::key).containsExactly(first.key());
        Result.Answered<String> second =
                send(ClientIntent.named("order-42", server.payment())).orElseThrow();

        assertThat(second.key()).isEqualTo(first.key());
        assertThat(server.keys()).containsExactly(first.key());
        assertThat(UUID.fromString(first.key()).version()).isEqualTo(7);
        assertThat(journal.unfinished()).isEmpty();
    }

    @Test
    void sends_an_answered_intent_again_with_the_same_key() {
        server.then(201, "text/plain", "done").then(201, "text/plain", "done", "Idempotency-Replayed", "true");

        Result<String> first = send(ClientIntent.named("order-42", server.payment()));
        Result<String> second = send(ClientIntent.named("order-42", server.payment()));

        assertThat(second.key()).isEqualTo(first.key());
        assertThat(((Result.Answered<String>) second).replayed()).isTrue();
    }

    @Test
    void refuses_another_request_with_the_same_name() {
        server.otherwise(TestServer.answer(201, "text/plain", "done"));
        send(ClientIntent.named("order-42", server.payment()));
        HttpRequest elsewhere = HttpRequest.newBuilder(server.payment(), (name, value) -> true)
                .uri(server.uri("/refunds"))
                .build();

        for (HttpRequest other : List.of(server.post("{\"amount\":999}"), elsewhere)) {
            assertThatThrownBy(() -> send(ClientIntent.named("order-42", other)))
                    .isInstanceOfSatisfying(
                            IntentRefusedException.class,
                            refused -> assertThat(refused.reason())
                                    .isEqualTo(IntentRefusedException.Reason.ANOTHER_REQUEST))
                    .hasMessageContaining("order-42 is recorded for another request");
        }
        assertThatThrownBy(() ->
                        send(ClientIntent.named("order-42", server.payment()).withKey("another")))
                .isInstanceOf(IntentRefusedException.class)
                .hasMessageContaining("another key");
        assertThat(server.received()).hasSize(1);
        assertThat(journal.unfinished()).isEmpty();
    }

    @Test
    void compares_the_meaning_of_bodies_whose_bytes_differ() {
        server.otherwise(TestServer.answer(201, "text/plain", "done"));

        Result<String> first =
                send(ClientIntent.named("a", server.post("--boundary1")).meaning("100 EUR"));
        Result<String> second =
                send(ClientIntent.named("a", server.post("--boundary2")).meaning("100 EUR"));

        assertThat(second.key()).isEqualTo(first.key());
        assertThatThrownBy(() ->
                        send(ClientIntent.named("a", server.post("--boundary1")).meaning("200 EUR")))
                .isInstanceOf(IntentRefusedException.class);
    }

    @Test
    void refuses_a_key_that_the_server_may_have_deleted() throws IOException {
        server.otherwise(TestServer.loseAnswer());
        send(ClientIntent.named("order-42", server.payment()));
        int received = server.received().size();
        time.advance(Duration.ofHours(24));

        assertThatThrownBy(() -> send(ClientIntent.named("order-42", server.payment())))
                .isInstanceOfSatisfying(
                        IntentRefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(IntentRefusedException.Reason.KEY_TOO_OLD));
        assertThat(server.received()).hasSize(received);

        server.otherwise(TestServer.answer(201, "text/plain", "done"));
        Result<String> later = client().keyLifetime(Duration.ofDays(7))
                .build()
                .send(ClientIntent.named("order-42", server.payment()), BodyHandlers.ofString());
        assertThat(server.keys()).containsExactly(later.key());
        journal.forget("order-42");
        assertThat(send(ClientIntent.named("order-42", server.payment())).key()).isNotEqualTo(later.key());
    }

    @Test
    void treats_a_resumed_intent_as_unknown_until_it_is_answered() throws IOException {
        journal.begin(new Entry("order-42", "k1", digest(), time.now()));
        server.otherwise(TestServer.answer(429, "text/plain", ""));

        assertThat(send(ClientIntent.named("order-42", server.payment())).outcomeUnknown())
                .isTrue();

        server.otherwise(TestServer.answer(401, "text/plain", ""));
        assertThat(send(ClientIntent.named("order-42", server.payment())))
                .isInstanceOfSatisfying(
                        Result.Answered.class,
                        answer -> assertThat(answer.outcomeUnknown()).isTrue());
        assertThat(journal.unfinished()).hasSize(1);
    }

    private String digest() {
        return RequestDigest.of(ClientIntent.of(server.payment())).join();
    }

    @Test
    void records_intents_without_a_name_by_their_key() {
        server.otherwise(TestServer.loseAnswer());

        Result<String> result = send(ClientIntent.of(server.payment()));

        assertThat(journal.unfinished())
                .extracting(Entry::name, Entry::key)
                .containsExactly(tuple(result.key(), result.key()));
    }

    @Test
    void sends_nothing_when_the_journal_fails() throws IOException {
        journal.close();

        assertThatThrownBy(() -> send(ClientIntent.named("order-42", server.payment())))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("was not sent");
        assertThatThrownBy(() -> client().build()
                        .sendAsync(ClientIntent.named("order-42", server.payment()), BodyHandlers.ofString())
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(UncheckedIOException.class);
        assertThat(server.received()).isEmpty();
    }

    @Test
    void returns_an_answer_that_cannot_be_marked_as_finished() throws IOException {
        server.otherwise(TestServer.answer(201, "text/plain", "done"));
        IntentJournal failing = new IntentJournal() {
            @Override
            public Optional<Entry> find(String name) {
                return Optional.empty();
            }

            @Override
            public Begun begin(Entry proposed) {
                return new Begun(proposed, true);
            }

            @Override
            public void finish(String name) throws IOException {
                throw new IOException("disk full");
            }

            @Override
            public void forget(String name) {}

            @Override
            public List<Entry> unfinished() {
                return List.of();
            }
        };

        assertThat(client().journal(failing)
                        .build()
                        .send(server.payment(), BodyHandlers.ofString())
                        .orElseThrow()
                        .body())
                .isEqualTo("done");
    }
}
