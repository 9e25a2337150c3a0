package dev.semel.server.cli;

import dev.semel.engine.Store;
import dev.semel.redis.RedisStore;
import dev.semel.redis.doctor.RedisDoctor;
import dev.semel.redis.doctor.RedisFinding;
import dev.semel.redis.uri.RedisUri;
import java.util.List;

/** A store in Redis. */
record RedisLocation(RedisUri uri) implements StoreLocation {

    @Override
    public Store open(boolean acceptUnsafeDurability) {
        return RedisStore.openExisting(
                uri.withOptions(uri.options().withAcceptUnsafeDurability(acceptUnsafeDurability)));
    }

    @Override
    public List<CheckResult> check() {
        boolean namesServers = uri.topology() == RedisUri.Topology.CLUSTER;
        return RedisDoctor.examine(uri).stream()
                .map(found -> finding(namesServers ? found.server() + ": " : "", found))
                .toList();
    }

    private static CheckResult finding(String server, RedisFinding found) {
        return switch (found.weight()) {
            case FINE -> CheckResult.good(server + found.what());
            case NOTE -> CheckResult.note(server + found.text());
            case UNSAFE, BROKEN -> CheckResult.bad(server + found.text());
        };
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
