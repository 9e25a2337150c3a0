package dev.semel.benchmarks.redis;

import com.trendyol.jdempotent.core.model.IdempotencyKey;
import com.trendyol.jdempotent.core.model.IdempotentRequestResponseWrapper;
import com.trendyol.jdempotent.core.model.IdempotentRequestWrapper;
import com.trendyol.jdempotent.core.model.IdempotentResponseWrapper;
import com.trendyol.jdempotent.redis.RedisConfigProperties;
import com.trendyol.jdempotent.redis.RedisIdempotentRepository;
import dev.semel.benchmarks.load.Call;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.Payload;
import dev.semel.benchmarks.store.ReplayedKeys;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.StringRedisSerializer;

/**
 * Jdempotent's repository on Redis, used as its aspect does: {@code contains} and {@code store} before the work,
 * {@code setResponse} after it. It looks first and writes then, in commands of their own, so that two callers at once both
 * go on. No fingerprint, no lease, no fence, no audit.
 */
final class Jdempotent {

    private static final long TTL_HOURS = 24;

    private final String prefix;
    private final RedisIdempotentRepository repository;
    private final IdempotentRequestWrapper request = new IdempotentRequestWrapper(Payload.FINGERPRINT.value());
    private final IdempotentResponseWrapper response = new IdempotentResponseWrapper(Payload.response());

    Jdempotent(RedisConnectionFactory connections, String prefix) {
        this.prefix = prefix + ":jdempotent:";
        RedisTemplate<String, IdempotentRequestResponseWrapper> template = new RedisTemplate<>();
        template.setConnectionFactory(connections);
        template.setKeySerializer(new StringRedisSerializer());
        template.afterPropertiesSet();
        RedisConfigProperties properties = new RedisConfigProperties();
        properties.setExpirationTimeHour(TTL_HOURS);
        properties.setPersistReqRes(true);
        this.repository = new RedisIdempotentRepository(template, properties);
    }

    Call pairs(Keys keys) {
        return () -> complete(keys.next());
    }

    void complete(String name) {
        IdempotencyKey key = key(name);
        if (repository.contains(key)) {
            throw new IllegalStateException("Jdempotent says that the key " + name + " is not new");
        }
        repository.store(key, request, TTL_HOURS, TimeUnit.HOURS);
        repository.setResponse(key, request, response, TTL_HOURS, TimeUnit.HOURS);
    }

    Call replays(ReplayedKeys keys) {
        return () -> {
            IdempotencyKey key = key(keys.any());
            if (!repository.contains(key) || repository.getResponse(key) == null) {
                throw new IllegalStateException("Jdempotent says that the key " + key + " is new");
            }
        };
    }

    private IdempotencyKey key(String name) {
        return new IdempotencyKey(prefix + name);
    }
}
