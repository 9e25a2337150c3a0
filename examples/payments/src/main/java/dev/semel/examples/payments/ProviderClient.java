package dev.semel.examples.payments;

import dev.semel.Identity;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The client of the provider. Its exceptions tell what is certain about the money: not charged, or unknown. */
final class ProviderClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** What the provider answered. */
    enum Answer {
        CHARGED,
        DECLINED,
        /** The provider says that it failed without charging anything. */
        FAILED,
        /** The key was used before, for another payment, whose record has expired here. */
        USED_BEFORE
    }

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final JsonMapper json;
    private final URI charges;
    private final Duration answerTimeout;

    ProviderClient(URI provider, Duration answerTimeout, JsonMapper json) {
        this.charges = provider.resolve("/charges");
        this.answerTimeout = answerTimeout;
        this.json = json;
    }

    /**
     * Charges a payment.
     *
     * @param key recognized by the provider: it never charges twice under one key
     * @param identity of the record, which the provider includes in its webhooks
     * @throws NotExecutedException when the provider never received the request
     * @throws OutcomeUnknownException when it may have, and its answer did not arrive or is unreadable
     */
    Answer charge(String key, Identity identity, Payment payment) {
        HttpRequest request = HttpRequest.newBuilder(charges)
                .timeout(answerTimeout)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(Map.of(
                        "account", identity.scope().value(),
                        "reference", identity.key().value(),
                        "customerId", payment.customerId(),
                        "amountCents", payment.amountCents(),
                        "currency", payment.currency(),
                        "paymentMethod", payment.paymentMethod()))))
                .build();
        HttpResponse<byte[]> answer = send(request);
        try {
            JsonNode body = json.readTree(answer.body());
            return switch (answer.statusCode()) {
                case 201 -> Charge.of(body).isFor(payment) ? Answer.CHARGED : Answer.USED_BEFORE;
                case 402 -> Charge.of(body).isFor(payment) ? Answer.DECLINED : Answer.USED_BEFORE;
                case 500 -> failed(body);
                default -> throw nothingSaid();
            };
        } catch (JacksonException e) {
            throw nothingSaid();
        }
    }

    /** A proxy can answer with 500, too; only the provider's own error code proves that nothing was charged. */
    private static Answer failed(JsonNode body) {
        if (!body.path("error").asString("").equals("provider_error")) {
            throw nothingSaid();
        }
        return Answer.FAILED;
    }

    private static OutcomeUnknownException nothingSaid() {
        return new OutcomeUnknownException("the answer of the provider is unreadable");
    }

    /**
     * Asks the provider for the charge of a key.
     *
     * @return empty when it has none, yet
     * @throws IOException when it did not answer
     */
    Optional<Charge> find(String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(charges + "?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8)))
                .timeout(answerTimeout)
                .build();
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        return switch (answer.statusCode()) {
            case 200 -> Optional.of(Charge.of(json.readTree(answer.body())));
            case 404 -> Optional.empty();
            default -> throw new IOException("the provider answered with " + answer.statusCode());
        };
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new NotExecutedException("the provider cannot be reached", e);
        } catch (IOException e) {
            throw new OutcomeUnknownException("the provider did not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException("stopped while the provider was working", e);
        }
    }
}
