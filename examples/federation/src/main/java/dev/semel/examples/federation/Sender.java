package dev.semel.examples.federation;

import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.FederationReply;
import dev.semel.messaging.federation.Payload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The bank {@code bank-a}, which asks another bank to act.
 *
 * <p>It sends a message again, with the same id and a new timestamp, until the reply is final. After a lost answer it does not
 * need to know whether the message was executed: the reply to the repetition is that of the first.
 */
final class Sender {

    private static final int MOST_DELIVERIES = 60;
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final String name;
    private final URI receiver;

    Sender(String name, URI receiver) {
        this.name = name;
        this.receiver = receiver;
    }

    /**
     * The final reply, and how often the message was sent for it.
     *
     * @param deliveries more than one when an answer was lost, or the receiver could not reply yet
     */
    record Sent(FederationReply reply, int deliveries) {}

    /**
     * Sends a message until the reply is final.
     *
     * @param id of the intent: keep it, and use it again if this method fails or the process ends
     * @throws IOException when there is no final reply after many deliveries
     */
    Sent send(String id, String action, String payload) throws IOException, InterruptedException {
        for (int delivery = 1; delivery <= MOST_DELIVERIES; delivery++) {
            try {
                FederationReply reply = deliver(id, action, payload);
                if (!(reply instanceof FederationReply.Later)) {
                    return new Sent(reply, delivery);
                }
            } catch (IOException lost) {
                // It may have been executed, or not. The next delivery finds out.
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        }
        throw new IOException("no final reply after " + MOST_DELIVERIES + " deliveries: send " + id + " again later");
    }

    /** Sends a message once. */
    FederationReply deliver(String id, String action, String payload) throws IOException, InterruptedException {
        FederationMessage message =
                new FederationMessage(id, name, Receiver.NAME, action, Payload.of(payload), Instant.now());
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(receiver.resolve("/federation"))
                        .timeout(ANSWER_TIMEOUT)
                        .header("Authorization", "Bearer " + Receiver.TOKENS.get(name))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(Wire.write(message)))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        return switch (answer.statusCode()) {
            case 200, 422, 503 -> Wire.readReply(answer.body());
            default -> throw new IllegalStateException("the receiver answered with " + answer.statusCode());
        };
    }

    /** What the receiver has credited to an account. */
    String balance(String account) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(receiver.resolve("/accounts/" + account)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
