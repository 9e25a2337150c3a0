package dev.semel.dynamodb;

import dev.semel.dynamodb.table.Calls;
import dev.semel.dynamodb.table.ServiceClock;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Checks the settings of a table, also of one that a store would refuse. */
public final class DynamoDoctor {

    private DynamoDoctor() {}

    /**
     * Returns what was found, good and bad.
     *
     * @throws dev.semel.StoreException when DynamoDB cannot be reached
     */
    public static List<DynamoFinding> examine(DynamoUri uri) {
        try (DynamoDbAsyncClient client = Clients.open(uri)) {
            return examine(client, uri.table());
        }
    }

    static List<DynamoFinding> examine(DynamoDbAsyncClient client, String table) {
        return new TableCheck(client, new Calls(new ServiceClock(System::nanoTime)), table).findings();
    }
}
