package dev.semel.redis.script;

import dev.semel.StoreException;
import dev.semel.redis.connection.RedisFaults;
import dev.semel.redis.connection.ReplyListener;
import dev.semel.redis.connection.Script;
import dev.semel.redis.connection.ScriptRunner;
import dev.semel.redis.record.Layout;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Sends calls of one verb to one shard, several in one script.
 *
 * <ol>
 *   <li>A call is sent at once while fewer than two groups are in flight. Calls that arrive later form the next group, which is
 *       sent when a reply arrives: there is no timer, and the cost of a call falls as the load rises.
 *   <li>Redis runs a group as one script, call by call. Each call has its own reply, also when it fails.
 *   <li>When a group gets no reply, the calls that wait behind it fail unsent: they would wait for another timeout.
 * </ol>
 */
final class GroupLane {

    /** One group runs in Redis while the next is on the network. */
    private static final int MAX_IN_FLIGHT = 2;

    /** Redis runs one script at a time: a group of this size blocks it for about a millisecond. */
    private static final int MAX_GROUP = 100;

    /** A group takes no more calls once its size exceeds this, so that large responses do not add up. */
    private static final int MAX_GROUP_BYTES = 256 * 1024;

    /** The same limit as for the connection: calls beyond it fail at once. */
    private static final int MAX_QUEUE = 100_000;

    /** A call about one record, and the listener for its reply. */
    static final class Call {

        private final byte[] key;
        private final byte[][] arguments;
        private final ReplyListener<ScriptReply> listener;

        Call(byte[] key, byte[][] arguments, ReplyListener<ScriptReply> listener) {
            this.key = key;
            this.arguments = arguments;
            this.listener = listener;
        }

        private int bytes() {
            int bytes = key.length;
            for (byte[] argument : arguments) {
                bytes += argument.length;
            }
            return bytes;
        }
    }

    private final ScriptRunner runner;
    private final Layout layout;
    private final Script script;
    private final int shard;
    private final Object lock = new Object();
    private final Deque<Call> waiting = new ArrayDeque<>();
    private int inFlight;

    GroupLane(ScriptRunner runner, Layout layout, Script script, int shard) {
        this.runner = runner;
        this.layout = layout;
        this.script = script;
        this.shard = shard;
    }

    void submit(Call call) {
        boolean sentNow;
        synchronized (lock) {
            sentNow = inFlight < MAX_IN_FLIGHT;
            if (sentNow) {
                inFlight++;
            } else if (waiting.size() < MAX_QUEUE) {
                waiting.add(call);
                return;
            }
        }
        if (sentNow) {
            send(List.of(call));
        } else {
            call.listener.onFailure(RedisFaults.queueFull(runner.link().uri(), MAX_QUEUE));
        }
    }

    private void send(List<Call> group) {
        byte[][] keys = layout.keys(shard, group.stream().map(call -> call.key).toList());
        byte[][] arguments =
                group.stream().flatMap(call -> Arrays.stream(call.arguments)).toArray(byte[][]::new);
        runner.run(script, ScriptOutputType.MULTI, keys, arguments, new ReplyListener<List<byte[]>>() {
            @Override
            public void onReply(List<byte[]> replies) {
                sendNextGroup();
                for (int i = 0; i < group.size(); i++) {
                    deliver(group.get(i).listener, ScriptReply.of(replies.get(i)));
                }
            }

            @Override
            public void onFailure(StoreException fault) {
                if (fault.getCause() instanceof RedisCommandExecutionException) {
                    // Redis replied with an error about this group; it can take the next one.
                    sendNextGroup();
                } else {
                    failWaiting(fault);
                }
                group.forEach(call -> call.listener.onFailure(fault));
            }
        });
    }

    /** Sends the next group, before the replies of the last one are delivered. */
    private void sendNextGroup() {
        List<Call> group = new ArrayList<>();
        synchronized (lock) {
            int bytes = 0;
            while (!waiting.isEmpty() && group.size() < MAX_GROUP && bytes < MAX_GROUP_BYTES) {
                Call call = waiting.remove();
                bytes += call.bytes();
                group.add(call);
            }
            if (group.isEmpty()) {
                inFlight--;
            }
        }
        if (!group.isEmpty()) {
            send(group);
        }
    }

    private void failWaiting(StoreException fault) {
        List<Call> unsent;
        synchronized (lock) {
            unsent = new ArrayList<>(waiting);
            waiting.clear();
            inFlight--;
        }
        unsent.forEach(call -> call.listener.onFailure(fault));
    }

    private void deliver(ReplyListener<ScriptReply> listener, ScriptReply reply) {
        if (reply.code() == ScriptReply.FAILED) {
            listener.onFailure(runner.link().fault(new RedisCommandExecutionException(reply.text())));
        } else {
            listener.onReply(reply);
        }
    }
}
