package dev.semel.benchmarks.redis;

import dev.semel.benchmarks.load.Call;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.Payload;
import dev.semel.benchmarks.store.ReplayedKeys;
import java.nio.charset.StandardCharsets;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.metadata.RedisMetadataStore;

/**
 * Spring Integration's metadata store on Redis. Its idempotent receiver calls {@code putIfAbsent} before the work and nothing
 * after it, which is one command where the others have two round trips and more. No response, no fingerprint, no lease, no
 * fence, and nothing that is kept has an end.
 */
final class SpringMetadata {

    /** Its receiver puts the time, of which so many characters remain. */
    private static final String VALUE = "1763265600000";

    /** It keeps text. */
    private static final String RESPONSE = new String(Payload.response(), StandardCharsets.ISO_8859_1);

    private final RedisMetadataStore store;

    SpringMetadata(RedisConnectionFactory connections, String prefix) {
        this.store = new RedisMetadataStore(connections, prefix + ":spring-integration");
    }

    /** One that was received, and whose response was put. */
    void complete(String key) {
        receive(key);
        store.put(key, RESPONSE);
    }

    /** As its receiver does it with what was received before. */
    Call replays(ReplayedKeys keys) {
        return () -> {
            if (store.putIfAbsent(keys.any(), VALUE) == null) {
                throw new IllegalStateException("Spring says that a key is new that is not");
            }
        };
    }

    /** As its receiver does it. */
    Call receipts(Keys keys) {
        return () -> receive(keys.next());
    }

    private void receive(String key) {
        if (store.putIfAbsent(key, VALUE) != null) {
            throw new IllegalStateException("Spring says that the key " + key + " is not new");
        }
    }

    /** As an application does it that stores the response as well. */
    Call pairs(Keys keys) {
        return () -> complete(keys.next());
    }
}
