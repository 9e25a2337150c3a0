package dev.semel.redis.script;

import dev.semel.Identity;
import dev.semel.redis.connection.DecodingListener;
import dev.semel.redis.connection.Script;
import dev.semel.redis.connection.ScriptRunner;
import dev.semel.redis.record.Layout;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Calls of one verb, grouped by shard: {@link GroupLane}. */
public final class Groups {

    private final ScriptRunner runner;
    private final Layout layout;
    private final GroupLane[] lanes;

    public Groups(ScriptRunner runner, Layout layout, Script script) {
        this.runner = runner;
        this.layout = layout;
        this.lanes = IntStream.range(0, layout.shards())
                .mapToObj(shard -> new GroupLane(runner, layout, script, shard))
                .toArray(GroupLane[]::new);
    }

    public <T> CompletionStage<T> call(Identity identity, Function<ScriptReply, T> decoder, byte[]... arguments) {
        int shard = layout.shardOf(identity);
        DecodingListener<ScriptReply, T> listener = runner.link().decoding(decoder);
        lanes[shard].submit(new GroupLane.Call(layout.key(shard, identity), arguments, listener));
        return listener.result();
    }
}
