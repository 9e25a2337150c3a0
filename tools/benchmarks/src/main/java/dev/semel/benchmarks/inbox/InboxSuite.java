package dev.semel.benchmarks.inbox;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.ContestReport;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Messages per second of one consumer, with an effect that costs nothing. */
public final class InboxSuite implements Suite {

    private static final String ONE = "one at a time";
    private static final String BATCHES = "batches of " + InboxCalls.BATCH;
    private static final int HANDLED_BEFORE = 10_000;

    private static final String NOTE =
            "One thread, as a consumer of one partition has it. p50 and p99 are of a call: a message, or a batch"
                    + " of " + InboxCalls.BATCH + ".";

    @Override
    public String name() {
        return "inbox";
    }

    @Override
    public String description() {
        return "messages of one consumer, in batches of " + InboxCalls.BATCH
                + " and one at a time; new ones and duplicates";
    }

    @Override
    public List<String> parts() {
        return List.of("new", "duplicates");
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        List<Integer> given = context.settings().records();
        int before = given.isEmpty() ? HANDLED_BEFORE : given.get(0);
        try (SemelEngine semel = SemelEngine.on(
                        Stores.open(context.databases().create("inbox").uri()))
                .build()) {
            InboxCalls calls = new InboxCalls(semel);
            context.progress().status("inbox: handling what will be duplicates");
            calls.handle(before);
            Rounds rounds = new Rounds(context.settings(), context.progress());
            List<Contest> contests = new ArrayList<>();
            if (context.wants("new")) {
                contests.add(rounds.run(
                        "new messages",
                        ONE,
                        List.of(
                                new Contender(ONE, calls.oneAtATime(new Keys("o")::next)),
                                new Contender(BATCHES, calls.batches(new Keys("b")::next)))));
            }
            if (context.wants("duplicates")) {
                contests.add(rounds.run(
                        "duplicates",
                        ONE,
                        List.of(
                                new Contender(ONE, calls.oneAtATime(calls.again(before))),
                                new Contender(BATCHES, calls.batches(calls.again(before))))));
            }
            return ContestReport.of("inbox", contests, "messages/s", Set.of(BATCHES), NOTE);
        }
    }
}
