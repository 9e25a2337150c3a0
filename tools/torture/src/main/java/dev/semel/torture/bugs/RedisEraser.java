package dev.semel.torture.bugs;

import dev.semel.Identity;
import dev.semel.redis.uri.RedisUri;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes from Redis. Which shard a record is in is its store's business: its name is tried in each. */
final class RedisEraser implements Eraser {

    private final RedisUri uri;
    private @Nullable RedisClusterCommands<String, String> commands;

    RedisEraser(RedisUri uri) {
        this.uri = uri;
    }

    @Override
    public void erase(Identity identity) {
        String member = identity.scope().value() + "\t" + identity.key().value();
        for (int shard = 0; shard < uri.options().shards(); shard++) {
            commands().del(uri.options().prefix() + ":{" + shard + "}:r:" + member);
        }
    }

    private synchronized RedisClusterCommands<String, String> commands() {
        RedisClusterCommands<String, String> made = commands;
        if (made == null) {
            made = uri.topology() == RedisUri.Topology.CLUSTER
                    ? RedisClusterClient.create(servers()).connect().sync()
                    : RedisClient.create(servers().get(0)).connect().sync();
            commands = made;
        }
        return made;
    }

    private List<RedisURI> servers() {
        return uri.nodes().stream()
                .map(node -> RedisURI.builder()
                        .withHost(node.host())
                        .withPort(node.port())
                        .withDatabase(uri.database())
                        .withTimeout(uri.options().timeout())
                        .build())
                .toList();
    }
}
