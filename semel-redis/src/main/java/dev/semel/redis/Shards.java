package dev.semel.redis;

import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.redis.connection.Link;
import dev.semel.redis.record.Layout;
import dev.semel.redis.record.RecordFormat;
import dev.semel.redis.script.Arguments;
import dev.semel.redis.script.Scripts;
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
 * Verbs on many records. One script runs on each shard, all at the same time. Where there are several shards, a first script
 * reads the times of their oldest entries, so that the oldest records of all shards are taken first.
 */
final class Shards {

    /** Redis runs one script at a time: this many records block it for about two milliseconds. */
    private static final int MAX_RECORDS = 200;

    /** Reading is cheaper than changing. */
    private static final int MAX_READ_RECORDS = 1000;

    /** The order of a shard's index. */
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

    /** A verb on at most this many records of a shard. */
    interface ShardVerb<T> {
        CompletionStage<T> run(int shard, int count);
    }

    List<StoredRecord> take(List<String> indexes, int limit, ShardVerb<List<StoredRecord>> verb) {
        List<List<StoredRecord>> taken = link.await(
                over(indexes, limit, (shard, count) -> inPortions(shard, count, verb, List::size, Shards::joined)));
        return taken.stream().flatMap(List::stream).toList();
    }

    int count(List<String> indexes, int limit, ShardVerb<Integer> verb) {
        List<Integer> counts = link.await(
                over(indexes, limit, (shard, count) -> inPortions(shard, count, verb, done -> done, Integer::sum)));
        return counts.stream().mapToInt(count -> count).sum();
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
            int shard, int count, ShardVerb<T> verb, Size<T> size, BinaryOperator<T> join) {
        int portion = Math.min(count, MAX_RECORDS);
        CompletionStage<T> first = verb.run(shard, portion);
        if (portion == count) {
            return first;
        }
        return first.thenCompose(taken -> size.of(taken) < portion
                ? CompletableFuture.completedFuture(taken)
                : inPortions(shard, count - portion, verb, size, join).thenApply(more -> join.apply(taken, more)));
    }

    private static void requireLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit is " + limit + ": it cannot be negative");
        }
    }

    private <T> CompletionStage<List<T>> over(List<String> indexes, int limit, ShardVerb<T> verb) {
        requireLimit(limit);
        if (limit == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        if (layout.shards() == 1) {
            return verb.run(0, limit).thenApply(List::of);
        }
        return portions(indexes, limit)
                .thenCompose(portions -> all(IntStream.range(0, portions.length)
                        .filter(shard -> portions[shard] > 0)
                        .mapToObj(shard -> verb.run(shard, portions[shard]))
                        .toList()));
    }

    /** Returns how many of the oldest entries are in each shard. */
    private CompletionStage<int[]> portions(List<String> indexes, int limit) {
        byte[][] arguments = new byte[1 + indexes.size()][];
        arguments[0] = Arguments.number(limit);
        for (int i = 0; i < indexes.size(); i++) {
            arguments[1 + i] = Arguments.text(indexes.get(i));
        }
        List<CompletionStage<List<Ripe>>> replies = IntStream.range(0, layout.shards())
                .mapToObj(shard -> link.<List<Object>, List<Ripe>>run(
                        scripts.of(Scripts.Verb.RIPE),
                        ScriptOutputType.MULTI,
                        layout.keys(shard),
                        times ->
                                times.stream().map(time -> Ripe.of(time, shard)).toList(),
                        arguments))
                .toList();
        return all(replies).thenApply(ripe -> {
            int[] portions = new int[layout.shards()];
            ripe.stream()
                    .flatMap(List::stream)
                    .sorted(Comparator.comparingLong(Ripe::micros))
                    .limit(limit)
                    .forEach(entry -> portions[entry.shard()]++);
            return portions;
        });
    }

    /** An entry of a shard that is due. */
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

    RecordSearch.Page search(RecordSearch search) {
        ShardSearch reading = new ShardSearch(this::portion, layout.shards());
        List<String> indexes = ShardSearch.indexes(search.filter());
        return reading.page(search, indexes, link.await(all(reading.start(indexes))));
    }

    private CompletionStage<ShardSearch.Portion> portion(int shard, String index, int skip, int most) {
        return link.<List<Object>, ShardSearch.Portion>run(
                scripts.of(Scripts.Verb.SEARCH),
                ScriptOutputType.MULTI,
                layout.keys(shard),
                reply -> new ShardSearch.Portion(
                        Integer.parseInt(new String((byte[]) reply.get(1), StandardCharsets.US_ASCII)),
                        records(reply, 2).stream().map(StoredRecord::summary).toList()),
                Arguments.text(index),
                Arguments.number(skip),
                Arguments.number(most));
    }

    /** Reads the records of a reply, which starts with the time. */
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

    /** A page of a shard's list, and the name after which the next page starts: empty on the last page. */
    private static final class Page {

        private final byte[] next;
        private final List<StoredRecord> records;

        Page(byte[] next, List<StoredRecord> records) {
            this.next = next;
            this.records = records;
        }
    }

    List<StoredRecord> list(UnknownFilter filter, int limit) {
        requireLimit(limit);
        if (limit == 0) {
            return List.of();
        }
        byte[] after = filter.after() == null ? new byte[0] : Layout.member(filter.after());
        List<CompletionStage<List<StoredRecord>>> lists = IntStream.range(0, layout.shards())
                .mapToObj(shard -> list(shard, filter, after, limit))
                .toList();
        return link.await(all(lists)).stream()
                .flatMap(List::stream)
                .sorted(BY_NAME)
                .limit(limit)
                .toList();
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
                Arguments.number(limit),
                after,
                Arguments.text(filter.operation() == null ? "" : filter.operation()),
                Arguments.text(dead == null ? "" : dead ? "1" : "0"),
                Arguments.number(MAX_READ_RECORDS));
    }
}
