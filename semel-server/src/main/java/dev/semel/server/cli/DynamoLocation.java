package dev.semel.server.cli;

import dev.semel.dynamodb.DynamoDoctor;
import dev.semel.dynamodb.DynamoFinding;
import dev.semel.dynamodb.DynamoStore;
import dev.semel.dynamodb.DynamoUri;
import dev.semel.engine.Store;
import java.util.List;

/** A store in DynamoDB. */
record DynamoLocation(DynamoUri uri) implements StoreLocation {

    @Override
    public Store open(boolean acceptUnsafeDurability) {
        return DynamoStore.openExisting(
                uri.withOptions(uri.options().withAcceptUnsafeDurability(acceptUnsafeDurability)));
    }

    @Override
    public List<CheckResult> check() {
        return DynamoDoctor.examine(uri).stream().map(DynamoLocation::result).toList();
    }

    private static CheckResult result(DynamoFinding found) {
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
