package dev.semel.examples.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.FederationReply;
import dev.semel.messaging.federation.FederationReply.Later.Wait;
import dev.semel.messaging.federation.FederationReply.Refused.Fault;
import dev.semel.messaging.federation.Payload;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message between two banks")
class FederationTest {

    private static final int AT_ONCE = 30;

    private static final String CREDIT = Demo.credit("bob", 100);

    @TempDir
    Path directory;

    private Receiver receiver;
    private Sender sender;

    @BeforeEach
    void start() throws Exception {
        receiver = Receiver.start(directory, 0, Set.of());
        sender = new Sender("bank-a", receiver.uri());
    }

    @AfterEach
    void stop() throws Exception {
        receiver.close();
    }

    private static boolean isDuplicate(FederationReply reply) {
        return ((FederationReply.Done) reply).duplicate();
    }

    @Test
    void is_executed_once_of_many_at_once() throws Exception {
        List<FederationReply> replies = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            Callable<FederationReply> deliver =
                    () -> sender.send("t-1", "credit", CREDIT).reply();
            for (Future<FederationReply> reply : threads.invokeAll(Collections.nCopies(AT_ONCE, deliver))) {
                replies.add(reply.get());
            }
        } finally {
            threads.shutdown();
        }

        assertThat(replies).filteredOn(reply -> !isDuplicate(reply)).hasSize(1);
        assertThat(replies.stream().map(reply -> ((FederationReply.Done) reply).result()))
                .containsOnly(Payload.of("{\"account\":\"bob\",\"creditedCents\":100}"));
        assertThat(sender.balance("bob")).isEqualTo("{\"balanceCents\":100}");
    }

    @Test
    void belongs_to_its_sender() throws Exception {
        sender.send("t-1", "credit", CREDIT);

        FederationReply other = new Sender("bank-c", receiver.uri()).deliver("t-1", "credit", CREDIT);

        assertThat(isDuplicate(other)).isFalse();
        assertThat(sender.balance("bob")).isEqualTo("{\"balanceCents\":200}");
    }

    /** As a process leaves it that is killed after the effect, and before the result is recorded. */
    @Test
    void that_is_executed_again_after_a_crash_changes_nothing() throws Exception {
        FederationMessage message =
                new FederationMessage("t-1", "bank-a", Receiver.NAME, "credit", Payload.of(CREDIT), Instant.now());
        try (Bank killed = new Bank(directory.resolve("bank.db"))) {
            killed.credit(message);
        }

        assertThat(sender.send("t-1", "credit", CREDIT).reply()).isInstanceOf(FederationReply.Done.class);
        assertThat(sender.balance("bob")).isEqualTo("{\"balanceCents\":100}");
    }

    @Test
    void fails_when_another_one_had_its_id_whose_record_has_expired() throws Exception {
        try (Bank longAgo = new Bank(directory.resolve("bank.db"))) {
            longAgo.credit(
                    new FederationMessage("t-1", "bank-a", Receiver.NAME, "credit", Payload.of(CREDIT), Instant.now()));
        }

        assertThat(sender.send("t-1", "credit", Demo.credit("bob", 7)).reply())
                .isInstanceOf(FederationReply.Failed.class);
        assertThat(sender.balance("bob")).isEqualTo("{\"balanceCents\":100}");
    }

    @Test
    void is_refused_when_another_one_has_its_id_or_it_asks_for_an_unknown_action() throws Exception {
        sender.send("t-1", "credit", CREDIT);

        assertThat(sender.deliver("t-1", "credit", Demo.credit("bob", 101)))
                .isEqualTo(new FederationReply.Refused(Fault.ID_REUSED));
        assertThat(sender.deliver("t-2", "dance", "{}")).isEqualTo(new FederationReply.Refused(Fault.UNKNOWN_ACTION));
        assertThat(sender.balance("bob")).isEqualTo("{\"balanceCents\":100}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"account\":\"carol\",\"amountCents\":1}",
                "{\"account\":\"bob\",\"amountCents\":0}",
                "{\"account\":\"bob\",\"amountCents\":1.5}",
                "{\"account\":\"bob\"}",
                "[]",
                "null"
            })
    void that_cannot_be_executed_fails_in_the_same_way_each_time(String payload) throws Exception {
        FederationReply.Failed first = (FederationReply.Failed) sender.deliver("t-1", "credit", payload);
        FederationReply.Failed again = (FederationReply.Failed) sender.deliver("t-1", "credit", payload);

        assertThat(first.duplicate()).isFalse();
        assertThat(again).isEqualTo(new FederationReply.Failed(first.type(), first.message(), true));
        assertThat(sender.balance("bob")).isEqualTo("{\"balanceCents\":0}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "token-of-bank-a | bank-c | 401",
                "wrong | bank-a | 401",
                "token-of-bank-a | bank-z | 401",
                "token-of-bank-a | bank-a | 200",
            })
    void is_accepted_from_an_authenticated_sender_only(String token, String from, int status) throws Exception {
        String message = """
                {"id":"t-1","from":"%s","to":"bank-b","action":"credit","payload":%s,"timestamp":"%s"}""".formatted(from, CREDIT, Instant.now());

        assertThat(post(token, message)).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not json",
                "[]",
                "{\"id\":\"t-1\",\"from\":\"bank-a\",\"to\":\"bank-b\",\"action\":\"credit\",\"payload\":{}}",
                "{\"id\":7,\"from\":\"bank-a\",\"to\":\"bank-b\",\"action\":\"credit\",\"payload\":{},"
                        + "\"timestamp\":\"2026-01-01T00:00:00Z\"}",
                "{\"id\":\"t\",\"from\":\"bank-a\",\"to\":\"bank-b\",\"action\":\"credit\",\"payload\":{},"
                        + "\"timestamp\":\"now\"}",
                "{\"id\":\"t\",\"id\":\"u\",\"from\":\"bank-a\",\"to\":\"bank-b\",\"action\":\"credit\",\"payload\":{},"
                        + "\"timestamp\":\"2026-01-01T00:00:00Z\"}",
            })
    void that_is_malformed_is_answered_with_400(String body) throws Exception {
        assertThat(post("token-of-bank-a", body)).isEqualTo(400);
    }

    @Test
    void that_is_too_long_is_not_read() throws Exception {
        assertThat(post("token-of-bank-a", " ".repeat(70_000))).isEqualTo(413);
    }

    private int post(String token, String body) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(receiver.uri().resolve("/federation"))
                                .header("Authorization", "Bearer " + token)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    static List<FederationReply> replies() {
        return List.of(
                new FederationReply.Done(Payload.of("{\"a\":1.10}"), true),
                new FederationReply.Failed("Some", "why", false),
                new FederationReply.Refused(Fault.STALE),
                new FederationReply.Later(Wait.OUTCOME_UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void has_a_reply_that_is_the_same_after_the_wire(FederationReply reply) {
        assertThat(Wire.readReply(Wire.write(reply))).isEqualTo(reply);
    }

    @Test
    void is_the_same_after_the_wire_with_exact_numbers() {
        FederationMessage message = new FederationMessage(
                "t-1", "a", "b", "credit", Payload.of("{\"n\":0.1000000000000000055511151231257827}"), Instant.now());

        assertThat(Wire.readMessage(Wire.write(message))).isEqualTo(message);
        assertThatIllegalArgumentException().isThrownBy(() -> Wire.readReply(new byte[] {'{', '}'}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Wire.readReply("{\"status\":\"later\",\"reason\":\"soon\"}".getBytes()));
    }
}
