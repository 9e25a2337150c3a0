package dev.semel.examples.orderflow;

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
import tools.jackson.databind.json.JsonMapper;

/** A client of the mail provider's HTTP API. */
final class MailClient implements Mails {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final JsonMapper json = new JsonMapper();
    private final URI mails;

    MailClient(URI provider) {
        this.mails = provider.resolve("/mails");
    }

    @Override
    public void send(String key, String to, String text) {
        HttpRequest request = HttpRequest.newBuilder(mails)
                .timeout(TIMEOUT)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(Map.of("to", to, "text", text))))
                .build();
        HttpResponse<Void> answer;
        try {
            answer = http.send(request, HttpResponse.BodyHandlers.discarding());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new NotExecutedException("the mail provider is unreachable", e);
        } catch (IOException e) {
            throw new OutcomeUnknownException("the mail provider did not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException("interrupted while the mail was sent", e);
        }
        if (answer.statusCode() != 202) {
            throw new OutcomeUnknownException("the mail provider answered with " + answer.statusCode());
        }
    }

    @Override
    public boolean wasSent(String key) throws IOException, InterruptedException {
        URI byKey = URI.create(mails + "?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(byKey).timeout(TIMEOUT).build();
        int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        return switch (status) {
            case 200 -> true;
            case 404 -> false;
            default -> throw new IOException("the mail provider answered with " + status);
        };
    }
}
