package dev.semel.client;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides which responses are retried with the same key. */
@FunctionalInterface
public interface RetryRule {

    boolean retries(Reply reply);

    /**
     * Returns the rule for Semel, servers that follow the IETF draft, and Stripe. The first matching line decides.
     *
     * <ol>
     *   <li>A replay is final, whatever its status: the next attempt would get the same.
     *   <li>So is a response of a server that ignored the key: another attempt could be another execution.
     *   <li>{@code Stripe-Should-Retry} on an error decides.
     *   <li>An error with {@code "retryable": false} is final.
     *   <li>408, 425, 429, 500, 502, 503 and 504 are retried: the request was not executed, or its outcome is unknown, or
     *       the server will replay the recorded response.
     *   <li>202 is retried if its {@code code} says that the key is in progress or its outcome unknown. Any other 202 is the
     *       operation's own response.
     *   <li>409 is retried if its {@code code} says that, if it has a {@code Retry-After}, or if its {@code code}, {@code
     *       type} or {@code title} is about an idempotency key and not about its reuse for another request. Any other 409
     *       is the operation's own response.
     *   <li>Any other response is final.
     * </ol>
     */
    static RetryRule standard() {
        return new StandardRule();
    }

    /**
     * Returns this rule with these statuses retried, unless they are replays or unprotected; for example 409 of servers that
     * do not say why.
     */
    default RetryRule alsoOn(int... statuses) {
        Set<Integer> also = Arrays.stream(statuses).boxed().collect(Collectors.toUnmodifiableSet());
        return reply -> also.contains(reply.status()) ? !reply.replayed() && !reply.unprotected() : retries(reply);
    }

    /** Returns this rule with these statuses final. */
    default RetryRule notOn(int... statuses) {
        Set<Integer> never = Arrays.stream(statuses).boxed().collect(Collectors.toUnmodifiableSet());
        return reply -> !never.contains(reply.status()) && retries(reply);
    }
}
