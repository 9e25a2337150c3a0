package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a signed event for every new entry of the ledger, until it is accepted.
 *
 * <p>A receiver accepts an event with any 2xx. Otherwise it gets the same event again, with the same id and a new signature,
 * a limited number of times. Events are in memory only: those that are not delivered when the provider ends are lost, and
 * their receiver has to ask.
 */
final class Webhooks {

    private static final System.Logger LOG = System.getLogger(Webhooks.class.getName());

    /** With pauses of 1, 2, 4, 8 and 16 seconds half a minute: longer than a receiver takes to restart. */
    private static final int DELIVERIES = 6;

    /** A receiver that needs longer should accept first and work later. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

    private final JsonMapper json = JsonMapper.shared();
    private final WebhookSettings settings;
    private final InstantSource clock;
    private final DelayedTasks later;
    private final HttpClient http;

    Webhooks(WebhookSettings settings, InstantSource clock, DelayedTasks later) {
        this.settings = settings;
        this.clock = clock;
        this.later = later;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ANSWER_TIMEOUT)
                .build();
    }

    /** Returns at once, and never fails. */
    void announce(Entry entry) {
        if (settings.silent().stream().anyMatch(method -> method.label().equals(entry.paymentMethod()))) {
            return;
        }
        Event event = Event.of(entry);
        byte[] body = json.writeValueAsBytes(event);
        int copies = settings.duplicate() ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            later.after(settings.delay(), () -> deliver(event.id(), body, 1));
        }
    }

    private void deliver(String id, byte[] body, int delivery) {
        try {
            int status = http.send(request(id, body), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            if (status / 100 != 2) {
                deliverAgain(id, body, delivery, "answered with " + status);
            }
        } catch (IOException e) {
            deliverAgain(id, body, delivery, "not answered: " + e);
        } catch (InterruptedException e) {
            // The provider was closed, and its events are lost.
            Thread.currentThread().interrupt();
        }
    }

    private void deliverAgain(String id, byte[] body, int delivery, String reason) {
        if (delivery < DELIVERIES) {
            Duration pause = settings.backoff().multipliedBy(1L << (delivery - 1));
            later.after(pause, () -> deliver(id, body, delivery + 1));
        } else {
            LOG.log(Level.WARNING, "event {0} is given up: it was {1}", id, reason);
        }
    }

    private HttpRequest request(String id, byte[] body) {
        long timestamp = clock.instant().getEpochSecond();
        return HttpRequest.newBuilder(settings.url())
                .timeout(ANSWER_TIMEOUT)
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(timestamp))
                .header("webhook-signature", settings.signer().sign(id, timestamp, body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }
}
