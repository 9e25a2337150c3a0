package dev.semel.redis;

import dev.semel.StoreException;
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
 *   <li>A call goes at once while few are under way. Those that come while there are form the next group, which goes when an
 *       answer arrives: there is no timer, and the more callers there are, the less each costs.
 *   <li>Redis runs a group as a whole, one call after the other; each has an answer of its own, also where it failed.
 *   <li>When a group gets no answer, those who wait behind it are not sent: they would wait as long again.
 * </ol>
 */
final class GroupLane {

    /** While Redis is at one, the next is on its way. */
    private static final int MOST_UNDER_WAY = 2;

    /** Redis does nothing else meanwhile: so many are about a millisecond. */
    private static final int MOST_TOGETHER = 100;

    /** A group ends with what makes it longer than this, so that large responses do not add up. */
    private static final int LARGE_BYTES = 256 * 1024;

    /** As with the connection itself: what comes beyond is refused at once. */
    private static final int LONGEST_QUEUE = 100_000;

    /** What is asked about one record, and who is to hear the answer. */
    static final class Call {

        private final byte[] key;
        private final byte[][] arguments;
        private final Listener<Reply> listener;

        Call(byte[] key, byte[][] arguments, Listener<Reply> listener) {
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

    private final Runner runner;
    private final Layout layout;
    private final Script script;
    private final int shard;
    private final Object lock = new Object();
    private final Deque<Call> waiting = new ArrayDeque<>();
    private int underWay;

    GroupLane(Runner runner, Layout layout, Script script, int shard) {
        this.runner = runner;
        this.layout = layout;
        this.script = script;
        this.shard = shard;
    }

    void submit(Call call) {
        if (isToWait(call)) {
            return;
        }
        send(List.of(call));
    }

    /** Otherwise it is counted as under way. */
    private boolean isToWait(Call call) {
        boolean full;
        synchronized (lock) {
            if (underWay < MOST_UNDER_WAY) {
                underWay++;
                return false;
            }
            full = waiting.size() >= LONGEST_QUEUE;
            if (!full) {
                waiting.add(call);
            }
        }
        if (full) {
            call.listener.failed(new StoreException(
                    "too many calls wait for Redis at " + runner.link().uri()));
        }
        return true;
    }

    private void send(List<Call> group) {
        byte[][] keys = layout.keys(shard, group.stream().map(call -> call.key).toList());
        byte[][] arguments =
                group.stream().flatMap(call -> Arrays.stream(call.arguments)).toArray(byte[][]::new);
        runner.run(script, ScriptOutputType.MULTI, keys, arguments, new Listener<List<byte[]>>() {
            @Override
            public void heard(List<byte[]> replies) {
                next();
                for (int i = 0; i < group.size(); i++) {
                    tell(group.get(i).listener, Reply.of(replies.get(i)));
                }
            }

            @Override
            public void failed(StoreException fault) {
                if (fault.getCause() instanceof RedisCommandExecutionException) {
                    // Redis has spoken, about these.
                    next();
                } else {
                    giveUp(fault);
                }
                group.forEach(call -> call.listener.failed(fault));
            }
        });
    }

    /** The next group has its turn before this one is told. */
    private void next() {
        List<Call> group = new ArrayList<>();
        synchronized (lock) {
            int bytes = 0;
            while (!waiting.isEmpty() && group.size() < MOST_TOGETHER && bytes < LARGE_BYTES) {
                Call call = waiting.remove();
                bytes += call.bytes();
                group.add(call);
            }
            if (group.isEmpty()) {
                underWay--;
            }
        }
        if (!group.isEmpty()) {
            send(group);
        }
    }

    private void giveUp(StoreException fault) {
        List<Call> unsent;
        synchronized (lock) {
            unsent = new ArrayList<>(waiting);
            waiting.clear();
            underWay--;
        }
        unsent.forEach(call -> call.listener.failed(fault));
    }

    private void tell(Listener<Reply> listener, Reply reply) {
        if (reply.code() == Reply.FAILED) {
            listener.failed(runner.link().fault(new RedisCommandExecutionException(reply.text())));
        } else {
            listener.heard(reply);
        }
    }
}
