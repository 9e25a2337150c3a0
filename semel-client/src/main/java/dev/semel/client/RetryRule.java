package dev.semel.client;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Which responses are not the answer yet, so that the request is repeated with the same key. */
@FunctionalInterface
public interface RetryRule {

    boolean retries(Reply reply);

    /**
     * The rule that suits Semel, servers that follow the IETF draft, and Stripe. The first line that applies decides.
     *
     * <ol>
     *   <li>A replay is final, whatever its status: it would be the same next time.
     *   <li>So is a response of a server that did not look at the key: another attempt could be another execution.
     *   <li>{@code Stripe-Should-Retry} on an error decides.
     *   <li>An error that says {@code "retryable": false} is final.
     *   <li>408, 425, 429, 500, 502, 503 and 504 are retried: the request was not executed, or nobody can tell, or the
     *       server will replay what it recorded.
     *   <li>202 is retried where its {@code code} says that the key is in progress or its outcome unknown. Any other 202 is
     *       the operation's own.
     *   <li>409 is retried where its {@code code} says that, where it has a {@code Retry-After}, or where its {@code code},
     *       {@code type} or {@code title} is about an idempotency key that is not said to be used for another request. Any
     *       other 409 is the operation's own.
     *   <li>Everything else is final.
     * </ol>
     */
    static RetryRule standard() {
        return new StandardRule();
    }

    /**
     * This rule, but these statuses are retried, unless they are replays or unprotected: 409 for servers that do not say what
     * they mean by it.
     */
    default RetryRule alsoOn(int... statuses) {
        Set<Integer> also = Arrays.stream(statuses).boxed().collect(Collectors.toUnmodifiableSet());
        return reply -> also.contains(reply.status()) ? !reply.replayed() && !reply.unprotected() : retries(reply);
    }

    /** This rule, but these statuses are final. */
    default RetryRule notOn(int... statuses) {
        Set<Integer> never = Arrays.stream(statuses).boxed().collect(Collectors.toUnmodifiableSet());
        return reply -> !never.contains(reply.status()) && retries(reply);
    }
}
