package dev.semel.client;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Builds an {@link IdempotentClient}; every setting has a default. */
public final class IdempotentClientBuilder {

    /** The name in the IETF draft, which most services use. */
    public static final String DEFAULT_KEY_HEADER = "Idempotency-Key";

    /** The default retention of Stripe and Semel. */
    public static final Duration DEFAULT_KEY_LIFETIME = Duration.ofHours(24);

    private final HttpClient http;
    private final Executor executor;
    private final ClientTimer timer;
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
        this.timer = new ClientTimer(executor, ClientTimer.IDLE);
        this.time = new SystemTime(timer);
    }

    /** Sets how long and how often to retry. */
    public IdempotentClientBuilder retrying(RetryPolicy newPolicy) {
        policy = newPolicy;
        return this;
    }

    /** Sets which responses to retry. */
    public IdempotentClientBuilder retryRule(RetryRule newRule) {
        rule = newRule;
        return this;
    }

    /** Sets the header for keys, {@code Idempotency-Key} by default. */
    public IdempotentClientBuilder keyHeader(String name) {
        header = new KeyHeader(name, header.quoted());
        return this;
    }

    /**
     * Sends keys as RFC 9651 Strings, as the IETF draft demands: {@code "abc"}, with the quotes. By default they are sent
     * without quotes, which Stripe and nearly all other services accept, as does Semel by default. A server that accepts only
     * the quoted form answers with 400.
     */
    public IdempotentClientBuilder quotedKeys() {
        header = new KeyHeader(header.name(), true);
        return this;
    }

    /** Sets the source of new keys, UUIDs of version 7 by default. */
    public IdempotentClientBuilder keys(Supplier<String> newKeys) {
        keys = newKeys;
        return this;
    }

    /**
     * Sets how long the server keeps keys, 24 hours by default. An intent that is resumed later than that after it was first
     * sent is refused, since the server might execute it again.
     */
    public IdempotentClientBuilder keyLifetime(Duration newLifetime) {
        if (newLifetime.isNegative() || newLifetime.isZero()) {
            throw new IllegalArgumentException("keyLifetime is " + newLifetime + ", it must be positive");
        }
        keyLifetime = newLifetime;
        return this;
    }

    /** Records every intent in a journal before it is sent. The caller closes the journal. */
    public IdempotentClientBuilder journal(IntentJournal newJournal) {
        journal = newJournal;
        return this;
    }

    public IdempotentClientBuilder onRetry(RetryListener newListener) {
        listener = newListener;
        return this;
    }

    /** Replaces the machine's clocks, for tests. */
    public IdempotentClientBuilder time(ClientTime newTime) {
        time = newTime;
        return this;
    }

    /** Sets the source of randomness for pauses. */
    public IdempotentClientBuilder random(RandomGenerator newRandom) {
        random = newRandom;
        return this;
    }

    /**
     * Creates the client.
     *
     * @throws IllegalArgumentException when the settings contradict each other
     */
    public IdempotentClient build() {
        if (policy.firstDelay().compareTo(policy.longestDelay()) > 0) {
            throw new IllegalArgumentException("the first delay (" + policy.firstDelay()
                    + ") is longer than the longest (" + policy.longestDelay() + ")");
        }
        if (policy.deadline().compareTo(keyLifetime) >= 0) {
            throw new IllegalArgumentException(
                    "the deadline (" + policy.deadline() + ") is not shorter than the key lifetime (" + keyLifetime
                            + "): shorten the deadline, or set keyLifetime to what the server guarantees");
        }
        Supplier<String> newKeys = keys == null ? new UuidV7(time) : keys;
        return new IdempotentClient(new ClientSettings(
                http, executor, timer, policy, rule, header, newKeys, keyLifetime, journal, listener, time, random));
    }

    /** The generator of the calling thread. */
    private static final class Jitter implements RandomGenerator {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
