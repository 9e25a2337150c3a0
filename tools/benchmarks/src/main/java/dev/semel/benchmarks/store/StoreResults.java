package dev.semel.benchmarks.store;

import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.ContestReport;
import dev.semel.benchmarks.report.Chart;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.report.Table;
import dev.semel.benchmarks.report.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects contests into the report of the suite. */
final class StoreResults {

    private final List<Table> tables = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private @Nullable Long nearRoundTrips;
    private final Map<String, Contest> contests = new LinkedHashMap<>();

    /** @param unit what is counted, such as {@code pairs/s} */
    void throughput(Contest contest, String unit, int callers) {
        tables.add(ContestReport.throughput(contest));
        charts.add(ContestReport.throughputChart(contest, unit, Names.OWN));
        samples.addAll(ContestReport.samples(contest));
        contests.put(unit + " " + callers, contest);
    }

    /** What replays from memory asked the store. */
    void nearRoundTrips(long count) {
        nearRoundTrips = Math.max(nearRoundTrips == null ? 0 : nearRoundTrips, count);
    }

    void latency(Contest contest) {
        tables.add(ContestReport.latency(contest));
        samples.addAll(ContestReport.samples(contest));
    }

    Report report(Arena arena) {
        Dialect dialect = arena.database.dialect();
        List<Target> targets = dialect == Dialect.POSTGRESQL ? StoreTargets.of(contests, nearRoundTrips) : List.of();
        return new Report("store", tables, targets, charts, samples, notes(arena, dialect));
    }

    private static List<String> notes(Arena arena, Dialect dialect) {
        List<String> notes = new ArrayList<>();
        notes.add(
                "semel: execute() of the engine, blocking; semel async: executeAsync(), as many under way as there are"
                        + " callers elsewhere. Every pair stores a response of 256 bytes, is fenced and audited.");
        String serializable = switch (dialect) {
            case POSTGRESQL -> "BEGIN ISOLATION LEVEL SERIALIZABLE, SELECT … FOR UPDATE, INSERT, COMMIT";
            case MYSQL -> "SELECT … FOR UPDATE, INSERT, COMMIT at SERIALIZABLE";
            case SQLITE -> "BEGIN IMMEDIATE, SELECT, INSERT, COMMIT";
        };
        String once = dialect == Dialect.MYSQL ? "INSERT IGNORE" : "INSERT … ON CONFLICT DO NOTHING";
        notes.add("serializable: " + serializable + ", then UPDATE; pool of " + arena.serializablePool
                + ". insert-on-conflict: " + once + ", then UPDATE, each committed; pool of "
                + arena.conflictPool
                + ". Both were given the best of several pool sizes. Neither has leases, fences or an audit.");
        if (dialect == Dialect.POSTGRESQL) {
            notes.add(
                    "bare loop: the statements of Semel's own store on its tables, batched alike, without an engine around"
                            + " them.");
        }
        if (dialect != Dialect.SQLITE) {
            notes.add("camel (JdbcMessageIdRepository) and spring-integration (JdbcMetadataStore) record that a key was"
                    + " seen, and no response: one transaction for each pair where the others have two.");
        }
        notes.add("Latency at a fixed rate counts from the moment a call was due (no coordinated omission).");
        return notes;
    }
}
