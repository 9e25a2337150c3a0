package dev.semel.client;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rule of {@link RetryRule#standard()}. */
final class StandardRule implements RetryRule {

    private static final Set<Integer> TRANSIENT = Set.of(408, 425, 429, 500, 502, 503, 504);

    /** Two codes of Semel and one of Stripe. */
    private static final Set<String> PENDING =
            Set.of("idempotency_key_in_progress", "idempotency_outcome_unknown", "idempotency_key_in_use");

    /** Words in the errors of servers that answer with 409 when a key was used for another request. */
    private static final Pattern MISUSE =
            Pattern.compile("re-?used?|mis-?match|differ|already.used|another.request|not.retained");

    @Override
    public boolean retries(Reply reply) {
        if (reply.replayed() || reply.unprotected()) {
            return false;
        }
        if (reply.status() >= 400) {
            Optional<String> stripe = reply.headers().firstValue("Stripe-Should-Retry");
            if (stripe.isPresent()) {
                return reply.hasHeader("Stripe-Should-Retry", "true");
            }
            if (reply.field("retryable").filter("false"::equals).isPresent()) {
                return false;
            }
        }
        if (TRANSIENT.contains(reply.status())) {
            return true;
        }
        return switch (reply.status()) {
            case 202 -> isPending(reply);
            case 409 ->
                isPending(reply) || reply.headers().firstValue("Retry-After").isPresent() || isAboutTheKey(reply);
            default -> false;
        };
    }

    private static boolean isPending(Reply reply) {
        return reply.code().filter(PENDING::contains).isPresent();
    }

    private static boolean isAboutTheKey(Reply reply) {
        String words = Stream.of("code", "type", "title", "error.code", "error.type")
                .flatMap(field -> reply.field(field).stream())
                .collect(Collectors.joining(" "))
                .toLowerCase(Locale.ROOT);
        return words.contains("idempoten") && !MISUSE.matcher(words).find();
    }
}
