package dev.semel.server.cli;

import dev.semel.engine.Store;
import dev.semel.redis.RedisStore;
import dev.semel.redis.doctor.RedisDoctor;
import dev.semel.redis.doctor.RedisFinding;
import dev.semel.redis.uri.RedisUri;
import java.util.List;

/** A store in Redis. */
record RedisPlace(RedisUri uri) implements Place {

    @Override
    public Store open(boolean acceptUnsafeDurability) {
        return RedisStore.openExisting(
                uri.withOptions(uri.options().withAcceptUnsafeDurability(acceptUnsafeDurability)));
    }

    @Override
    public List<Finding> checkup() {
        boolean several = uri.topology() == RedisUri.Topology.CLUSTER;
        return RedisDoctor.examine(uri).stream()
                .map(found -> finding(several ? found.server() + ": " : "", found))
                .toList();
    }

    private static Finding finding(String server, RedisFinding found) {
        return switch (found.weight()) {
            case FINE -> Finding.good(server + found.what());
            case NOTE -> Finding.note(server + found.what() + "; " + found.advice());
            case UNSAFE, BROKEN -> Finding.bad(server + found.what() + "; " + found.advice());
        };
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
