package dev.semel.dynamodb.table;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.items.Item;
import dev.semel.items.ItemIndex;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds candidates: open records in the index, all others by scans. */
public final class RecordIndex implements ItemIndex {

    /** The name of the index of open records. */
    public static final String NAME = "semel-open";

    private final Table table;
    private final TableScan scan;

    public RecordIndex(Table table) {
        this.table = table;
        this.scan = new TableScan(table);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Candidates expired(int wanted) {
        return OpenRecords.expired(table, wanted);
    }

    @Override
    public Candidates due(String operation) {
        return OpenRecords.due(table, operation);
    }

    @Override
    public List<Identity> unknown(@Nullable String operation) {
        return OpenRecords.unknown(table, operation).identities();
    }

    @Override
    public List<Identity> sample(int limit) {
        return scan.sample(limit);
    }

    @Override
    public Extent summaries(int most, Consumer<Item> consumer) {
        TableScan.Extent extent = scan.summaries(most, consumer);
        return new Extent(extent.examined(), extent.isComplete());
    }

    @Override
    public List<Identity> prunable(Instant now, Expiry expiry, int most) {
        return scan.expired(now, expiry, most);
    }
}
