package dev.semel.redis;

import dev.semel.Identity;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Calls of one verb, which go to each shard in groups. */
final class Groups {

    private final Runner runner;
    private final Layout layout;
    private final GroupLane[] lanes;

    Groups(Runner runner, Layout layout, Script script) {
        this.runner = runner;
        this.layout = layout;
        this.lanes = IntStream.range(0, layout.shards())
                .mapToObj(shard -> new GroupLane(runner, layout, script, shard))
                .toArray(GroupLane[]::new);
    }

    <T> CompletionStage<T> call(Identity identity, Function<Reply, T> reading, byte[]... arguments) {
        int shard = layout.shardOf(identity);
        Reading<Reply, T> listener = runner.link().reading(reading);
        lanes[shard].submit(new GroupLane.Call(layout.key(shard, identity), arguments, listener));
        return listener.answer();
    }
}
