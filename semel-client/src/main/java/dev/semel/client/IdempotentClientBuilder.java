package dev.semel.client;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes an {@link IdempotentClient}. Everything has a default. */
public final class IdempotentClientBuilder {

    /** The name that the IETF draft and most services use. */
    public static final String DEFAULT_KEY_HEADER = "Idempotency-Key";

    /** The retention that Stripe and Semel have by default. */
    public static final Duration DEFAULT_KEY_LIFETIME = Duration.ofHours(24);

    private final HttpClient http;
    private final Executor executor;
    private RetryPolicy policy = RetryPolicy.DEFAULT;
    private RetryRule rule = RetryRule.standard();
    private KeyHeader header = new KeyHeader(DEFAULT_KEY_HEADER, false);
    private @Nullable Supplier<String> keys;
    private Duration keyLifetime = DEFAULT_KEY_LIFETIME;
    private @Nullable IntentJournal journal;
    private RetryListener listener = (key, attempts, setback, pause) -> {};
    private ClientTime time;
    private RandomGenerator random = new Jitter();

    IdempotentClientBuilder(HttpClient http) {
        this.http = http;
        this.executor = http.executor().orElseGet(() -> new CompletableFuture<Void>().defaultExecutor());
        this.time = new SystemTime(executor);
    }

    /** For how long and how often to retry. */
    public IdempotentClientBuilder retrying(RetryPolicy newPolicy) {
        policy = newPolicy;
        return this;
    }

    /** Which responses to retry. */
    public IdempotentClientBuilder retryRule(RetryRule newRule) {
        rule = newRule;
        return this;
    }

    /** The header that keys are sent in, {@code Idempotency-Key} by default. */
    public IdempotentClientBuilder keyHeader(String name) {
        header = new KeyHeader(name, header.quoted());
        return this;
    }

    /**
     * Sends keys as the IETF draft has them, as RFC 9651 Strings: {@code "abc"}, with the quotes. By default they are sent as
     * they are, which Stripe and nearly all other services take, and Semel by default, too. A server that takes only the
     * former says so with a 400.
     */
    public IdempotentClientBuilder quotedKeys() {
        header = new KeyHeader(header.name(), true);
        return this;
    }

    /** Where new keys come from, UUIDs of version 7 by default. */
    public IdempotentClientBuilder keys(Supplier<String> newKeys) {
        keys = newKeys;
        return this;
    }

    /**
     * For how long the server remembers keys, 24 hours by default. An intent that is resumed later than that after it was
     * first sent is refused, since the server might take it for a new one.
     */
    public IdempotentClientBuilder keyLifetime(Duration newLifetime) {
        if (newLifetime.isNegative() || newLifetime.isZero()) {
            throw new IllegalArgumentException("a key that lives for " + newLifetime + " is of no use");
        }
        keyLifetime = newLifetime;
        return this;
    }

    /** Writes every intent down before it is sent. The journal stays the caller's to close. */
    public IdempotentClientBuilder journal(IntentJournal newJournal) {
        journal = newJournal;
        return this;
    }

    public IdempotentClientBuilder onRetry(RetryListener newListener) {
        listener = newListener;
        return this;
    }

    /** Another time than the machine's, for tests. */
    public IdempotentClientBuilder time(ClientTime newTime) {
        time = newTime;
        return this;
    }

    /** What pauses are chosen with. */
    public IdempotentClientBuilder random(RandomGenerator newRandom) {
        random = newRandom;
        return this;
    }

    /**
     * Makes the client.
     *
     * @throws IllegalArgumentException when the settings contradict each other
     */
    public IdempotentClient build() {
        if (policy.firstDelay().compareTo(policy.longestDelay()) > 0) {
            throw new IllegalArgumentException("the first delay (" + policy.firstDelay()
                    + ") is longer than the longest (" + policy.longestDelay() + ")");
        }
        if (policy.deadline().compareTo(keyLifetime) >= 0) {
            throw new IllegalArgumentException("a client that goes on for " + policy.deadline()
                    + " outlasts its keys, which live for " + keyLifetime + ": shorten the deadline, or set keyLifetime"
                    + " to what the server promises");
        }
        Supplier<String> newKeys = keys == null ? new UuidV7(time) : keys;
        return new IdempotentClient(new ClientSettings(
                http, executor, policy, rule, header, newKeys, keyLifetime, journal, listener, time, random));
    }

    /** Each thread's own generator, whichever thread asks. */
    private static final class Jitter implements RandomGenerator {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
