package dev.semel.server.check.rules;

import dev.semel.server.check.subject.KeyHeader;
import dev.semel.server.check.wire.Header;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a check goes about it.
 *
 * @param quoted whether keys are sent in quotes; null: in quotes, and bare where the API refuses those
 * @param account headers of a second account; empty without one
 * @param concurrency how many requests are sent at once at most
 * @param keyRequired whether the API says that it requires a key
 * @param retention how long the API says that it keeps keys; null when it is not known
 */
public record CheckSettings(
        String header,
        @Nullable Boolean quoted,
        List<Header> account,
        int concurrency,
        boolean keyRequired,
        @Nullable Duration retention,
        Waits waits,
        long seed) {

    /**
     * How long the check waits.
     *
     * @param settle before effects are counted after a request whose answer was not waited for
     * @param retryPause between retries while a request is in progress
     * @param patience for a final answer of a request in progress, and for a retention to end
     */
    public record Waits(Duration settle, Duration retryPause, Duration patience) {

        public static final Waits DEFAULT =
                new Waits(Duration.ofMillis(300), Duration.ofMillis(250), Duration.ofSeconds(10));
    }

    public static final String DEFAULT_HEADER = "Idempotency-Key";
    public static final int DEFAULT_CONCURRENCY = 16;

    public CheckSettings {
        account = List.copyOf(account);
    }

    /** What is assumed where nothing is said. */
    public static CheckSettings defaults(long seed) {
        return new CheckSettings(
                DEFAULT_HEADER, null, List.of(), DEFAULT_CONCURRENCY, false, null, Waits.DEFAULT, seed);
    }

    public CheckSettings withAccount(List<Header> other) {
        return new CheckSettings(header, quoted, other, concurrency, keyRequired, retention, waits, seed);
    }

    public CheckSettings withWaits(Waits other) {
        return new CheckSettings(header, quoted, account, concurrency, keyRequired, retention, other, seed);
    }

    public CheckSettings withRetention(@Nullable Duration other) {
        return new CheckSettings(header, quoted, account, concurrency, keyRequired, other, waits, seed);
    }

    public KeyHeader keys() {
        return new KeyHeader(header, !Boolean.FALSE.equals(quoted));
    }
}
