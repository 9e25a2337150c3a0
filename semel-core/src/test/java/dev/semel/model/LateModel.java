package dev.semel.model;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Operation.LateRetries;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.ClaimDecision;
import dev.semel.spi.Transitions.Deleted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A model of late retries: one key, a clock that goes forward and back, pruning in its parts, and claims that stand still between
 * their judgement and their write. It visits every state that these moves can reach, by the decisions of the library itself, and
 * looks for one in which the key was executed twice.
 */
final class LateModel {

    /** A mistake in a store. */
    enum Flaw {
        /** A claim is compared with the clock alone, and not with the last deletion. */
        NO_MEMORY_OF_DELETIONS,
        /** The last deletion is compared when a claim is judged, and not again when its row is written. */
        NO_CHECK_AFTER_WRITING,
        /** The retention counts from a clock that was set back since the claim. */
        RETENTION_FROM_THE_CLOCK,
        /** Pruning deletes a marked record while the clock is before its end, and remembers only the clock. */
        DELETION_BEFORE_THE_END,
        /** The tombstone is written after the deletion has committed. */
        TOMBSTONE_AFTER_DELETION,
        /** The tombstones that a claim sees are those from before its row was written. */
        TOMBSTONES_FROM_BEFORE
    }

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration RETENTION = HOUR.multipliedBy(2);
    private static final int LAST_HOUR = 8;
    private static final int KEY_HOUR = 2;

    private static final Identity IDENTITY = Identity.of("acme", "k");
    private static final Outcome COMPLETED = new Outcome.Completed(Response.of(new byte[0]));

    private final boolean tombstones;
    private final Set<Flaw> flaws;
    private final ClaimRequest request;

    LateModel(boolean tombstones, Set<Flaw> flaws) {
        this.tombstones = tombstones;
        this.flaws = flaws;
        this.request = new ClaimRequest(
                IDENTITY,
                "charge",
                new Fingerprint("v1:a"),
                HOUR.multipliedBy(100),
                false,
                "holder",
                tombstones
                        ? new FirstUse(null, null, LateRetries.BY_KEY)
                        : new FirstUse(at(KEY_HOUR), at(KEY_HOUR).plus(RETENTION), LateRetries.BY_KEY));
    }

    private static Instant at(int hour) {
        return Instant.EPOCH.plus(HOUR.multipliedBy(hour));
    }

    /**
     * What there is.
     *
     * @param clock in hours
     * @param judged the claim that was judged as new and is not written yet: what was known of deletions then, at which hour; null
     *     when there is none
     * @param unburied a record was deleted, and its tombstone is not written yet
     */
    private record World(
            int clock,
            @Nullable StoredRecord record,
            Deleted deleted,
            @Nullable Judged judged,
            boolean unburied,
            int executions) {}

    private record Judged(int hour, Deleted deleted) {}

    private record Step(World from, String move) {}

    /** The moves that lead to a second execution; empty when none do. */
    List<String> search() {
        World start = new World(KEY_HOUR, null, new Deleted(tombstones, false, Instant.EPOCH), null, false, 0);
        Map<World, @Nullable Step> seen = new HashMap<>();
        Deque<World> open = new ArrayDeque<>();
        seen.put(start, null);
        open.add(start);
        while (!open.isEmpty()) {
            World world = open.remove();
            if (world.executions > 1) {
                return story(world, seen);
            }
            for (Map.Entry<String, World> move : moves(world).entrySet()) {
                if (!seen.containsKey(move.getValue())) {
                    seen.put(move.getValue(), new Step(world, move.getKey()));
                    open.add(move.getValue());
                }
            }
        }
        states = seen.size();
        return List.of();
    }

    private int states;

    /** How many states there were. */
    int states() {
        return states;
    }

    private static List<String> story(World last, Map<World, @Nullable Step> seen) {
        List<String> moves = new ArrayList<>();
        for (Step step = seen.get(last); step != null; step = seen.get(step.from)) {
            moves.add(0, step.move);
        }
        return moves;
    }

    private Map<String, World> moves(World world) {
        Map<String, World> moves = new HashMap<>();
        if (world.clock < LAST_HOUR) {
            moves.put("the clock goes on", moved(world, world.clock + 1));
        }
        if (world.clock > 0) {
            moves.put("the clock is set back", moved(world, world.clock - 1));
        }
        claim(world, moves);
        if (world.judged != null) {
            moves.put("the claim is written", written(world, world.judged));
        }
        if (world.unburied) {
            moves.put("the tombstone is written", buried(world));
        }
        if (world.record != null) {
            settle(world, asOf(world, world.record), moves);
        }
        return moves;
    }

    private static StoredRecord asOf(World world, StoredRecord record) {
        return Changes.asOf(record, at(world.clock));
    }

    private static World moved(World world, int hour) {
        return new World(hour, world.record, world.deleted, world.judged, world.unburied, world.executions);
    }

    private Deleted known(Deleted deleted) {
        return flaws.contains(Flaw.NO_MEMORY_OF_DELETIONS)
                ? new Deleted(tombstones, deleted.tombstone(), Instant.EPOCH)
                : deleted;
    }

    private void claim(World world, Map<String, World> moves) {
        if (world.record == null) {
            if (world.judged == null
                    && Transitions.onAbsent(request, known(world.deleted), at(world.clock))
                            == ClaimDecision.GRANT_NEW) {
                moves.put("a claim is judged", judged(world));
            }
            return;
        }
        StoredRecord record = asOf(world, world.record);
        if (Transitions.onClaim(record, request, world.deleted) == ClaimDecision.GRANT_NEW) {
            moves.put("a claim of the expired record is granted", granted(world, world.clock));
        } else if (world.judged == null
                && !tombstones
                && Transitions.onAbsent(request, known(world.deleted), at(world.clock)) == ClaimDecision.GRANT_NEW) {
            // A statement that stands still before it looks for the record.
            moves.put("a claim is judged", judged(world));
        } else if (world.judged == null && tombstones) {
            moves.put("a claim is judged", judged(world));
        }
    }

    private static World judged(World world) {
        return new World(
                world.clock,
                world.record,
                world.deleted,
                new Judged(world.clock, world.deleted),
                world.unburied,
                world.executions);
    }

    /** The record is of the hour at which its claim was judged. */
    private World granted(World world, int hour) {
        return new World(
                world.clock,
                Changes.granted(request, 1, at(hour)),
                world.deleted,
                null,
                world.unburied,
                world.executions + 1);
    }

    /** A conflict with a record that is there, or with a deletion since, starts the claim again. */
    private World written(World world, Judged judged) {
        World again = new World(world.clock, world.record, world.deleted, null, world.unburied, world.executions);
        if (world.record != null) {
            return again;
        }
        Deleted seen = flaws.contains(Flaw.NO_CHECK_AFTER_WRITING) || flaws.contains(Flaw.TOMBSTONES_FROM_BEFORE)
                ? judged.deleted
                : world.deleted;
        return Transitions.onAbsent(request, known(seen), at(judged.hour)) == ClaimDecision.GRANT_NEW
                ? granted(again, judged.hour)
                : again;
    }

    private static World buried(World world) {
        return new World(
                world.clock,
                world.record,
                new Deleted(true, true, world.deleted.deletedUpTo()),
                world.judged,
                false,
                world.executions);
    }

    private void settle(World world, StoredRecord record, Map<String, World> moves) {
        if (record.state() == State.IN_PROGRESS) {
            moves.put("the attempt completes", with(world, settled(record)));
        } else if (record.state() == State.EXPIRED) {
            moves.put("pruning deletes the record", deleted(world, record));
            if (world.record != null && world.record.state() != State.EXPIRED) {
                moves.put("pruning marks the record", with(world, Changes.markedExpired(record)));
            }
        }
    }

    private StoredRecord settled(StoredRecord record) {
        if (!flaws.contains(Flaw.RETENTION_FROM_THE_CLOCK)) {
            return Changes.settled(record, COMPLETED, RETENTION);
        }
        Duration shorter =
                Duration.between(record.times().createdAt(), record.times().asOf());
        return Changes.settled(record, COMPLETED, shorter.isNegative() ? RETENTION.plus(shorter) : RETENTION);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static World with(World world, StoredRecord record) {
        return new World(world.clock, record, world.deleted, world.judged, world.unburied, world.executions);
    }

    private World deleted(World world, StoredRecord record) {
        boolean later = flaws.contains(Flaw.TOMBSTONE_AFTER_DELETION);
        Instant end = record.times().expiresAt();
        Instant upTo = later(at(world.clock), world.deleted.deletedUpTo());
        if (end != null && !flaws.contains(Flaw.DELETION_BEFORE_THE_END)) {
            upTo = later(upTo, end);
        }
        return new World(
                world.clock,
                null,
                new Deleted(tombstones, world.deleted.tombstone() || (tombstones && !later), upTo),
                world.judged,
                tombstones && later,
                world.executions);
    }
}
