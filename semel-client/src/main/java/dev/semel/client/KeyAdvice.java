package dev.semel.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * What an answer says about the key, in headers and in the members of a problem. Servers other than Semel may say nothing.
 *
 * @param safeNewKey whether the server says that a new key cannot execute the request a second time
 * @param next what the server says a client does next
 * @param expires until when the server keeps the answer, and replays it to the same key
 * @param age how long before a replay its response was recorded
 */
public record KeyAdvice(
        boolean safeNewKey, Optional<Reply.Next> next, Optional<Instant> expires, Optional<Duration> age) {

    static KeyAdvice in(Reply reply) {
        return new KeyAdvice(
                reply.safeNewKey(),
                reply.next(),
                reply.headers().firstValue("Idempotency-Expires").flatMap(KeyAdvice::date),
                reply.headers().firstValue("Idempotency-Age").flatMap(KeyAdvice::seconds));
    }

    private static Optional<Instant> date(String text) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip(), Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> seconds(String text) {
        try {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text.strip()))).filter(age -> !age.isNegative());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
