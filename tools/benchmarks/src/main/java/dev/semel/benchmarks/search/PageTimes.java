package dev.semel.benchmarks.search;

import dev.semel.Scope;
import dev.semel.State;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.suite.Progress;
import dev.semel.engine.Store;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Age;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.RecordSearch.KeyMatch;
import dev.semel.reconcile.RecordSearch.Page;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How long the first and a later page of each view take. All views take turns, so that what the machine does hits all. */
final class PageTimes {

    /** As many records as the console shows. */
    private static final int LIMIT = 50;

    /** How many pages before the later page. */
    private static final int TURNS = 5;

    /** Passes over all pages that do not count, while code is compiled and pages of the database are read first. */
    private static final int WARM_UP = 5;

    private static final int TIMED = 20;

    /** As many characters as four or five digits of a search box: some 15 of a million keys begin with them. */
    private static final int PREFIX = 4;

    private final Store store;
    private final Progress progress;

    PageTimes(Store store, Progress progress) {
        this.store = store;
        this.progress = progress;
    }

    /**
     * A page of a view.
     *
     * @param answer what the store found at the first look
     * @param millis how long each search took
     */
    record PageOf(String view, boolean first, RecordSearch search, Page answer, List<Double> millis) {

        Spread spread() {
            return Spread.of(millis);
        }
    }

    List<PageOf> measure() {
        List<PageOf> pages = new ArrayList<>();
        Page newest = store.search(RecordSearch.newest(Filter.ALL, LIMIT));
        String key = newest.records().get(0).identity().key().value();
        add(pages, "all records", RecordSearch.newest(Filter.ALL, LIMIT));
        for (State state : State.values()) {
            add(pages, "state " + state.label(), RecordSearch.newest(Filter.ALL.withStates(Set.of(state)), LIMIT));
        }
        Filter unknown = Filter.ALL.withStates(Set.of(State.UNKNOWN));
        Filter running = Filter.ALL.withStates(Set.of(State.IN_PROGRESS));
        add(pages, "in progress, oldest first", RecordSearch.oldest(running, LIMIT));
        add(pages, "unknown, oldest first", RecordSearch.oldest(unknown, LIMIT));
        add(pages, "dead letters, oldest first", RecordSearch.oldest(filter(null, null, true, null), LIMIT));
        Age age = new Age(Duration.ofSeconds(10), Duration.ofHours(20));
        add(pages, "age", RecordSearch.newest(new Filter(null, null, Set.of(), null, null, age), LIMIT));
        add(pages, "scope", newest(filter(Scope.of(MixedFilling.SCOPE), null, null, null)));
        add(pages, "operation", newest(filter(null, MixedFilling.RARE_OPERATION, null, null)));
        add(pages, "key", newest(filter(null, null, null, new KeyMatch(key, false))));
        add(pages, "start of a key", newest(filter(null, null, null, new KeyMatch(key.substring(0, PREFIX), true))));
        add(pages, "operation that no record has", newest(filter(null, "no-such-operation", null, null)));
        for (int pass = 1 - WARM_UP; pass <= TIMED; pass++) {
            progress.status("searching: pass " + (pass + WARM_UP) + " of " + (WARM_UP + TIMED));
            for (PageOf page : pages) {
                long started = System.nanoTime();
                store.search(page.search());
                if (pass > 0) {
                    page.millis().add((System.nanoTime() - started) / 1e6);
                }
            }
        }
        return pages;
    }

    private static RecordSearch newest(Filter filter) {
        return RecordSearch.newest(filter, LIMIT);
    }

    private static Filter filter(
            @Nullable Scope scope, @Nullable String operation, @Nullable Boolean deadLettered, @Nullable KeyMatch key) {
        return new Filter(scope, operation, Set.of(), deadLettered, key, Age.ANY);
    }

    /** The first page of a view, and its sixth, or its last if there are fewer. */
    private void add(List<PageOf> pages, String view, RecordSearch first) {
        Page page = store.search(first);
        pages.add(new PageOf(view, true, first, page, new ArrayList<>()));
        RecordSearch later = first;
        for (int turn = 0; turn < TURNS && page.next() != null; turn++) {
            later = first.after(page.next());
            page = store.search(later);
        }
        if (later.after() != null) {
            pages.add(new PageOf(view, false, later, page, new ArrayList<>()));
        }
    }
}
