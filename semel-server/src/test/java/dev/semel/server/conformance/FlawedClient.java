package dev.semel.server.conformance;

import dev.semel.client.ClientIntent;
import dev.semel.client.IdempotentClient;
import dev.semel.client.IdempotentClientBuilder;
import dev.semel.client.Reply;
import dev.semel.client.Result;
import dev.semel.client.RetryPolicy;
import dev.semel.client.RetryRule;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The client of this project as it is, or with a flaw that clients of services have. */
final class FlawedClient implements Suite.Client {

    /** Flaws, each with what it does. */
    enum Flaw {
        NONE,
        /** A new key for each attempt: the retry is another intent. */
        NEW_KEY_FOR_EACH_ATTEMPT,
        /** The same key for everything. */
        ONE_KEY_FOR_ALL,
        /** Takes the first answer for the answer, and a lost connection for a failure. */
        NEVER_RETRIES,
        /** Retries every error. */
        RETRIES_EVERY_ERROR,
        /** Sends again at once, whatever Retry-After says. */
        DOES_NOT_WAIT,
        /** Takes a missing answer for "it has not happened". */
        FORGETS_DOUBT,
        /** Sends a new key by itself when the server says that it would be safe, or that the key has expired. */
        CHANGES_THE_KEY_BY_ITSELF,
        /** Keys without a time. */
        RANDOM_KEYS
    }

    static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(1);
    static final Duration DEADLINE = Duration.ofSeconds(4);

    /** Beyond any deadline, also when a random part of it is taken: the client gives up after one attempt. */
    private static final Duration NEVER = Duration.ofDays(365);

    private final Flaw flaw;
    private final IdempotentClient client;

    FlawedClient(Flaw flaw) {
        this.flaw = flaw;
        boolean once = Set.of(Flaw.NEVER_RETRIES, Flaw.NEW_KEY_FOR_EACH_ATTEMPT, Flaw.DOES_NOT_WAIT)
                .contains(flaw);
        RetryPolicy policy = RetryPolicy.DEFAULT
                .attemptTimeout(ATTEMPT_TIMEOUT)
                .deadline(once ? ATTEMPT_TIMEOUT : DEADLINE)
                .firstDelay(once ? NEVER : Duration.ofMillis(50))
                .longestDelay(once ? NEVER : Duration.ofMillis(200));
        IdempotentClientBuilder builder = IdempotentClient.over(HttpClient.newHttpClient())
                .retrying(policy)
                .retryRule(rule());
        if (flaw == Flaw.ONE_KEY_FOR_ALL) {
            builder.keys(() -> "my-service");
        } else if (flaw == Flaw.RANDOM_KEYS) {
            builder.keys(() -> UUID.randomUUID().toString());
        }
        this.client = builder.build();
    }

    private RetryRule rule() {
        RetryRule standard = RetryRule.standard();
        return switch (flaw) {
            case NEVER_RETRIES, NEW_KEY_FOR_EACH_ATTEMPT, DOES_NOT_WAIT -> reply -> false;
            case RETRIES_EVERY_ERROR -> reply -> reply.status() >= 400 && !reply.replayed();
            default -> standard;
        };
    }

    @Override
    public Map<String, Object> send(HttpRequest request) throws Exception {
        return switch (flaw) {
            case NEW_KEY_FOR_EACH_ATTEMPT, DOES_NOT_WAIT -> inOwnLoop(request);
            case CHANGES_THE_KEY_BY_ITSELF -> withOneNewKey(request);
            default -> reportOf(client.send(request, BodyHandlers.ofString()));
        };
    }

    /** Retries what the standard rule retries, at once. */
    private Map<String, Object> inOwnLoop(HttpRequest request) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        ClientIntent intent = ClientIntent.of(request).withKey(UUID.randomUUID().toString());
        Result<String> result = client.send(intent, BodyHandlers.ofString());
        while (isRetried(result) && System.nanoTime() < end) {
            ClientIntent next = flaw == Flaw.DOES_NOT_WAIT ? intent : ClientIntent.of(request);
            result = client.send(next, BodyHandlers.ofString());
        }
        return reportOf(result);
    }

    private static boolean isRetried(Result<String> result) {
        return !(result instanceof Result.Answered<String> answer)
                || RetryRule.standard()
                        .retries(new Reply(
                                answer.status(),
                                answer.headers(),
                                Map.of(
                                        "code",
                                        answer.body().replaceAll("(?s).*\"code\": \"(idempotency[a-z_]*)\".*", "$1"))));
    }

    private Map<String, Object> withOneNewKey(HttpRequest request) {
        Result<String> result = client.send(request, BodyHandlers.ofString());
        boolean again = result instanceof Result.Answered<String> answer
                && (answer.safeNewKey() || answer.status() == 412 || answer.status() == 422);
        return reportOf(again ? client.send(request, BodyHandlers.ofString()) : result);
    }

    private Map<String, Object> reportOf(Result<String> result) {
        Map<String, Object> report = new LinkedHashMap<>();
        boolean unknown = result.outcomeUnknown() && flaw != Flaw.FORGETS_DOUBT;
        if (unknown) {
            report.put("ended", "unknown");
        } else {
            report.put("ended", result instanceof Result.Answered ? "answered" : "not_executed");
        }
        if (result instanceof Result.Answered<String> answer) {
            report.put("status", answer.status());
            report.put("replayed", answer.replayed());
        }
        report.put("safe_new_key", flaw == Flaw.FORGETS_DOUBT ? !unknown : result.safeNewKey());
        return report;
    }
}
