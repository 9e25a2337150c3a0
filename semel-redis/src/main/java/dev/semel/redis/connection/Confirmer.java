package dev.semel.redis.connection;

import dev.semel.StoreException;
import dev.semel.redis.uri.RedisUri;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.SlotHash;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs scripts, and replies only after the wanted number of replicas has confirmed their writes.
 *
 * <p>Each primary has a connection for this alone: {@code WAIT} blocks the commands behind it, and covers the writes that were
 * made before it on the same connection. {@code MOVED} and {@code ASK} errors of a cluster are followed.
 */
public final class Confirmer implements ScriptRunner {

    /** While a slot moves, nodes may redirect back and forth; after this many redirections the call fails. */
    private static final int MAX_REDIRECTIONS = 5;

    private final Link link;
    private final boolean cluster;
    private final Map<RedisUri.Node, ConfirmerLane> lanes = new ConcurrentHashMap<>();
    private final ConfirmerLane only;

    public Confirmer(Link link) {
        this.link = link;
        this.cluster = link.uri().topology() == RedisUri.Topology.CLUSTER;
        this.only = new ConfirmerLane(link, null, this::redirect);
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public <R> void run(
            Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments, ReplyListener<R> listener) {
        ConfirmerCall<R> call = new ConfirmerCall<>(listener, new ConfirmerCall.Command(script, type, keys, arguments));
        if (!cluster) {
            only.submit(call);
            return;
        }
        int slot = SlotHash.getSlot(keys[0]);
        RedisUri.Node node = link.serverOf(slot);
        if (node == null) {
            link.connector().refresh();
            call.fail(new StoreException("no node of the Redis cluster at " + link.uri() + " owns the slot " + slot
                    + ": check CLUSTER SLOTS; nothing was written"));
        } else {
            laneOf(node).submit(call);
        }
    }

    private ConfirmerLane laneOf(RedisUri.Node node) {
        return lanes.computeIfAbsent(node, server -> new ConfirmerLane(link, server, this::redirect));
    }

    /** Sends a call that did not run to the node that the error names. */
    private void redirect(ConfirmerCall<?> call, Redirection redirection) {
        link.connector().refresh();
        if (call.redirections() >= MAX_REDIRECTIONS) {
            call.fail(new StoreException("Redis at " + link.uri()
                    + " is moving this slot to another node: retry when it has moved; nothing was written"));
            return;
        }
        call.redirected(redirection.asking());
        laneOf(redirection.node()).submit(call);
    }
}
