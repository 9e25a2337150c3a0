package dev.semel.benchmarks.redis;

import dev.semel.benchmarks.database.RedisPlace;
import dev.semel.benchmarks.load.Together;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.store.ReplayedKeys;
import dev.semel.benchmarks.store.SemelCalls;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.engine.SemelEngine;
import dev.semel.redis.RedisStore;
import dev.semel.redis.uri.RedisUri;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** One Redis with all contenders on it. */
final class RedisArena implements AutoCloseable {

    /** Threads that complete keys beforehand. */
    private static final int FILLERS = 64;

    final SemelEngine semel;
    final SemelCalls calls;
    final BareScripts bare;
    final Jdempotent jdempotent;
    final SpringMetadata spring;
    private final LettuceConnectionFactory connections;

    RedisArena(BenchContext context, ReplayedKeys keys) throws Exception {
        RedisPlace place = context.redis();
        semel = SemelEngine.on(RedisStore.open(place.uri())).build();
        calls = new SemelCalls(semel);
        bare = new BareScripts(place);
        connections = new LettuceConnectionFactory(server(place.uri()));
        connections.afterPropertiesSet();
        connections.start();
        jdempotent = new Jdempotent(connections, place.prefix());
        spring = new SpringMetadata(connections, place.prefix());
        context.progress().status("completing " + Figures.count(keys.all().size()) + " keys");
        Together.run(FILLERS, keys.all().size(), number -> {
            calls.complete(keys.all().get(number));
            jdempotent.complete(keys.all().get(number));
            spring.complete(keys.all().get(number));
        });
        bare.fill(keys);
    }

    /** With Spring's default: one connection that all callers share. */
    private static RedisStandaloneConfiguration server(RedisUri uri) {
        RedisUri.Node node = uri.nodes().get(0);
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(node.host(), node.port());
        server.setDatabase(uri.database());
        server.setUsername(uri.credentials().user());
        server.setPassword(uri.credentials().password());
        return server;
    }

    @Override
    public void close() {
        connections.destroy();
        bare.close();
        semel.close();
    }
}
