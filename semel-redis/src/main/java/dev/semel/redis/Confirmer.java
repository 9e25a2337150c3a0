package dev.semel.redis;

import dev.semel.StoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.SlotHash;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs scripts that count only once so many replicas have confirmed what they wrote, and all that was written before.
 *
 * <p>Each primary has a connection that is for this alone, because {@code WAIT} holds up whatever comes after it, and is about
 * what came before it on the same connection. A slot that has moved is followed to where the cluster says it is.
 */
final class Confirmer implements Runner {

    /** A slot may be on its way, and its new owner not know of it yet; what goes in circles longer will not arrive. */
    private static final int MOST_REDIRECTIONS = 5;

    private final Link link;
    private final boolean cluster;
    private final Map<RedisUri.Node, ConfirmerLane> lanes = new ConcurrentHashMap<>();
    private final ConfirmerLane only;

    Confirmer(Link link) {
        this.link = link;
        this.cluster = link.uri().topology() == RedisUri.Topology.CLUSTER;
        this.only = new ConfirmerLane(link, null, this::redirect);
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public <R> void run(Script script, ScriptOutputType type, byte[][] keys, byte[][] arguments, Listener<R> listener) {
        ConfirmerCall<R> call = new ConfirmerCall<>(listener, new ConfirmerCall.Text(script, type, keys, arguments));
        if (!cluster) {
            only.submit(call);
            return;
        }
        int slot = SlotHash.getSlot(keys[0]);
        RedisUri.Node node = link.serverOf(slot);
        if (node == null) {
            link.connector().refresh();
            call.fail(new StoreException("no node of Redis at " + link.uri() + " is known to have the slot " + slot
                    + ": see CLUSTER SLOTS"));
        } else {
            laneOf(node).submit(call);
        }
    }

    private ConfirmerLane laneOf(RedisUri.Node node) {
        return lanes.computeIfAbsent(node, server -> new ConfirmerLane(link, server, this::redirect));
    }

    /** Sends a call that nobody has run to the node that an error names. */
    private void redirect(ConfirmerCall<?> call, Redirection redirection) {
        link.connector().refresh();
        if (call.redirections() >= MOST_REDIRECTIONS) {
            call.fail(new StoreException("Redis at " + link.uri()
                    + " is moving this slot to another node: try again when" + " it has moved; nothing was written"));
            return;
        }
        call.redirected(redirection.asking());
        laneOf(redirection.node()).submit(call);
    }
}
