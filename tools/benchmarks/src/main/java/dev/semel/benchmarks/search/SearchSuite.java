package dev.semel.benchmarks.search;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import java.util.Collections;
import java.util.List;

/** Pages of searches among a million records of every state, and pairs with and without the index of searches. */
public final class SearchSuite implements Suite {

    private static final int RECORDS = 1_000_000;

    @Override
    public String name() {
        return "search";
    }

    @Override
    public String description() {
        return "pages of searches among 1,000,000 records, and what their index costs pairs; PostgreSQL and SQLite";
    }

    @Override
    public List<String> parts() {
        return List.of("pages", "cost");
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        if (context.databases().dialect() == Dialect.MYSQL) {
            throw new IllegalArgumentException(
                    "the suite search measures PostgreSQL and SQLite: give --store postgresql or --store sqlite");
        }
        List<Integer> given = context.settings().records();
        int records = given.isEmpty() ? RECORDS : Collections.max(given);
        SearchResults results = new SearchResults(records);
        if (context.wants("pages")) {
            Database database = context.databases().create("search");
            try (Store store = Stores.open(database.uri())) {
                new MixedFilling(database, context.progress()).fill(records);
                results.pages(new PageTimes(store, context.progress()).measure());
            }
        }
        if (context.wants("cost")) {
            results.cost(new IndexCost(context, records).measure());
        }
        return results.report();
    }
}
