package dev.semel.server.cli;

import dev.semel.cassandra.CassandraDoctor;
import dev.semel.cassandra.CassandraFinding;
import dev.semel.cassandra.CassandraStore;
import dev.semel.cassandra.CassandraUri;
import dev.semel.engine.Store;
import java.util.List;

/** A store in Cassandra. */
record CassandraLocation(CassandraUri uri) implements StoreLocation {

    @Override
    public Store open(boolean acceptUnsafeDurability) {
        return CassandraStore.openExisting(
                uri.withOptions(uri.options().withAcceptUnsafeDurability(acceptUnsafeDurability)));
    }

    @Override
    public List<CheckResult> check() {
        return CassandraDoctor.examine(uri).stream()
                .map(CassandraLocation::result)
                .toList();
    }

    private static CheckResult result(CassandraFinding found) {
        return switch (found.weight()) {
            case FINE -> CheckResult.good(found.what());
            case NOTE -> CheckResult.note(found.what() + "; " + found.advice());
            case UNSAFE, BROKEN -> CheckResult.bad(found.what() + "; " + found.advice());
        };
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
