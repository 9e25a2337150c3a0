package dev.semel.redis;

import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownFilter;
import io.lettuce.core.ScriptOutputType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/**
 * Verbs on many records. Each shard is asked by itself, all at the same time; where there are several, they are first asked
 * what they have, so that the oldest of all comes first.
 */
final class Shards {

    /** Redis does nothing else meanwhile: so many records are about two milliseconds. */
    private static final int MOST_AT_ONCE = 200;

    /** Looking is cheaper than changing. */
    private static final int MOST_LOOKED_AT = 1000;

    /** The same order as that of a shard's index. */
    private static final Comparator<StoredRecord> BY_NAME =
            Comparator.comparing(record -> Layout.member(record.identity()), Arrays::compareUnsigned);

    private final Link link;
    private final Layout layout;
    private final Scripts scripts;

    Shards(Link link, Layout layout, Scripts scripts) {
        this.link = link;
        this.layout = layout;
        this.scripts = scripts;
    }

    /** What is done with at most so many records of a shard. */
    interface Act<T> {
        CompletionStage<T> on(int shard, int count);
    }

    CompletionStage<List<StoredRecord>> take(List<String> indexes, int limit, Act<List<StoredRecord>> act) {
        return over(indexes, limit, (shard, count) -> inPortions(shard, count, act, List::size, Shards::joined))
                .thenApply(taken -> taken.stream().flatMap(List::stream).toList());
    }

    CompletionStage<Integer> count(List<String> indexes, int limit, Act<Integer> act) {
        return over(indexes, limit, (shard, count) -> inPortions(shard, count, act, done -> done, Integer::sum))
                .thenApply(counts -> counts.stream().mapToInt(count -> count).sum());
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private interface Size<T> {
        int of(T taken);
    }

    private <T> CompletionStage<T> inPortions(
            int shard, int count, Act<T> act, Size<T> size, BinaryOperator<T> joining) {
        int portion = Math.min(count, MOST_AT_ONCE);
        CompletionStage<T> first = act.on(shard, portion);
        if (portion == count) {
            return first;
        }
        return first.thenCompose(taken -> size.of(taken) < portion
                ? CompletableFuture.completedFuture(taken)
                : inPortions(shard, count - portion, act, size, joining).thenApply(more -> joining.apply(taken, more)));
    }

    private static void requireLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit is " + limit + ": it cannot be negative");
        }
    }

    private <T> CompletionStage<List<T>> over(List<String> indexes, int limit, Act<T> act) {
        requireLimit(limit);
        if (limit == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        if (layout.shards() == 1) {
            return act.on(0, limit).thenApply(List::of);
        }
        return portions(indexes, limit)
                .thenCompose(portions -> all(IntStream.range(0, portions.length)
                        .filter(shard -> portions[shard] > 0)
                        .mapToObj(shard -> act.on(shard, portions[shard]))
                        .toList()));
    }

    /** How many of the oldest are in each shard. */
    private CompletionStage<int[]> portions(List<String> indexes, int limit) {
        byte[][] arguments = new byte[1 + indexes.size()][];
        arguments[0] = RedisStore.number(limit);
        for (int i = 0; i < indexes.size(); i++) {
            arguments[1 + i] = RedisStore.bytes(indexes.get(i));
        }
        List<CompletionStage<List<Ripe>>> asked = IntStream.range(0, layout.shards())
                .mapToObj(shard -> link.<List<Object>, List<Ripe>>run(
                        scripts.of(Scripts.Verb.RIPE),
                        ScriptOutputType.MULTI,
                        layout.keys(shard),
                        times ->
                                times.stream().map(time -> Ripe.of(time, shard)).toList(),
                        arguments))
                .toList();
        return all(asked).thenApply(ripe -> {
            int[] portions = new int[layout.shards()];
            ripe.stream()
                    .flatMap(List::stream)
                    .sorted(Comparator.comparingLong(Ripe::micros))
                    .limit(limit)
                    .forEach(entry -> portions[entry.shard()]++);
            return portions;
        });
    }

    /** An entry that a shard has. */
    private record Ripe(long micros, int shard) {

        static Ripe of(Object time, int shard) {
            return new Ripe(Long.parseLong(new String((byte[]) time, StandardCharsets.US_ASCII)), shard);
        }
    }

    private static <T> CompletionStage<List<T>> all(List<CompletionStage<T>> stages) {
        CompletionStage<List<T>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (CompletionStage<T> stage : stages) {
            all = all.thenCombine(stage, (list, one) -> {
                list.add(one);
                return list;
            });
        }
        return all;
    }

    CompletionStage<Integer> number(Scripts.Verb verb, int shard, byte[]... arguments) {
        return link.<Long, Integer>run(
                scripts.of(verb), ScriptOutputType.INTEGER, layout.keys(shard), Math::toIntExact, arguments);
    }

    CompletionStage<List<StoredRecord>> records(Scripts.Verb verb, int shard, byte[]... arguments) {
        return link.<List<Object>, List<StoredRecord>>run(
                scripts.of(verb), ScriptOutputType.MULTI, layout.keys(shard), reply -> records(reply, 1), arguments);
    }

    /** The records in a reply, which begins with the time. */
    private static List<StoredRecord> records(List<Object> reply, int from) {
        Instant now = time((byte[]) reply.get(0));
        List<StoredRecord> records = new ArrayList<>();
        for (int i = from; i < reply.size(); i += 2) {
            byte[] member = (byte[]) reply.get(i);
            ByteBuffer value = ByteBuffer.wrap((byte[]) reply.get(i + 1));
            records.add(RecordFormat.read(Layout.identity(member), value, now));
        }
        return records;
    }

    private static Instant time(byte[] preamble) {
        return RecordFormat.instant(ByteBuffer.wrap(preamble).getLong(1));
    }

    /** A part of a shard's list, and where it goes on: an empty name at its end. */
    private static final class Page {

        private final byte[] next;
        private final List<StoredRecord> records;

        Page(byte[] next, List<StoredRecord> records) {
            this.next = next;
            this.records = records;
        }
    }

    CompletionStage<List<StoredRecord>> list(UnknownFilter filter, int limit) {
        requireLimit(limit);
        if (limit == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        byte[] after = filter.after() == null ? new byte[0] : Layout.member(filter.after());
        List<CompletionStage<List<StoredRecord>>> lists = IntStream.range(0, layout.shards())
                .mapToObj(shard -> list(shard, filter, after, limit))
                .toList();
        return all(lists)
                .thenApply(all -> all.stream()
                        .flatMap(List::stream)
                        .sorted(BY_NAME)
                        .limit(limit)
                        .toList());
    }

    private CompletionStage<List<StoredRecord>> list(int shard, UnknownFilter filter, byte[] after, int limit) {
        return page(shard, filter, after, limit).thenCompose(page -> {
            int missing = limit - page.records.size();
            if (page.next.length == 0 || missing == 0) {
                return CompletableFuture.completedFuture(page.records);
            }
            return list(shard, filter, page.next, missing).thenApply(more -> joined(page.records, more));
        });
    }

    private CompletionStage<Page> page(int shard, UnknownFilter filter, byte[] after, int limit) {
        Boolean dead = filter.deadLettered();
        return link.<List<Object>, Page>run(
                scripts.of(Scripts.Verb.LIST_UNKNOWN),
                ScriptOutputType.MULTI,
                layout.keys(shard),
                reply -> new Page((byte[]) reply.get(1), records(reply, 2)),
                RedisStore.number(limit),
                after,
                RedisStore.bytes(filter.operation() == null ? "" : filter.operation()),
                RedisStore.bytes(dead == null ? "" : dead ? "1" : "0"),
                RedisStore.number(MOST_LOOKED_AT));
    }
}
