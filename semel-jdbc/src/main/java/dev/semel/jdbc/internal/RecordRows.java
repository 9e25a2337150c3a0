package dev.semel.jdbc.internal;

import dev.semel.State;
import dev.semel.reconcile.RecordSearch.Order;
import dev.semel.reconcile.StoredRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a dialect reads for a search: rows without responses and steps. */
public interface RecordRows {

    /** The store's clock. */
    Instant now() throws SQLException;

    /** The name of the index that walks read. */
    String index();

    /** Records of one stored state in that index beyond a place in this order, and not beyond a time. */
    List<StoredRecord> walk(State stored, Order order, Bounds bounds, int limit) throws SQLException;

    /** Records that an attempt holds and that the index leaves out, claimed between two times; those first whose leases end first. */
    List<StoredRecord> running(Instant earliest, Instant latest, int limit) throws SQLException;

    /** Records of this scope, or of any, with keys from one text to another. */
    Keyed withKeys(@Nullable String scope, String from, String to, int limit) throws SQLException;

    /** Where a walk begins, exclusively, and where it ends, inclusively. */
    record Bounds(Instant fromTime, long fromFence, Instant toTime) {}

    /** Records that a look by keys found, what else it looked at, and whether it looked everywhere. */
    record Keyed(List<StoredRecord> records, int looked, boolean everywhere) {}
}
