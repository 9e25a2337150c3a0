package dev.semel.dynamodb;

import dev.semel.dynamodb.table.RecordIndex;
import dev.semel.dynamodb.table.Table;
import dev.semel.items.ItemStore;
import java.util.function.Function;
import java.util.function.LongSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A store of records in a table of Amazon DynamoDB.
 *
 * <ol>
 *   <li>A record is one item with its steps and its audit. Every change is one write, on the condition that the item has the fence
 *       and the version that were seen; {@link ItemStore} has the verbs.
 *   <li>A claim assumes that there is no item. Where there is one, the refusal brings it in the same round trip.
 *   <li>Time is that of the service, from its answers: {@code docs/decisions/0052-time-on-dynamodb.md}.
 *   <li>A fence is higher than that of the item before it, and than the time in microseconds.
 *   <li>A call without a clear answer is repeated as it was, and the item tells which try was written.
 *   <li>Only settled records have a TTL. The index of open records is for finding them, never for deciding.
 * </ol>
 */
public final class DynamoStore extends ItemStore {

    private final DynamoDbAsyncClient client;
    private final boolean ownsClient;

    private DynamoStore(DynamoDbAsyncClient client, boolean ownsClient, Table table) {
        super(table, new RecordIndex(table));
        this.client = client;
        this.ownsClient = ownsClient;
    }

    /**
     * Opens the store at a URI, such as {@code dynamodb://semel?region=eu-central-1}, and creates its table if it does not exist.
     *
     * @throws IllegalArgumentException when this is no such URI; the message shows a valid form
     * @throws dev.semel.StoreException when the table cannot be reached, or its settings can lose acknowledged writes
     */
    public static DynamoStore open(String uri) {
        return open(DynamoUri.parse(uri));
    }

    /**
     * Opens the store at a URI.
     *
     * @throws dev.semel.StoreException when the table cannot be reached, or its settings can lose acknowledged writes
     */
    public static DynamoStore open(DynamoUri uri) {
        return open(uri, client -> Startup.table(client, uri.table(), uri.options(), System::nanoTime));
    }

    /**
     * Opens the store of a table that exists, and writes nothing to do so.
     *
     * @throws dev.semel.StoreException also when there is no store at this URI
     */
    public static DynamoStore openExisting(DynamoUri uri) {
        return open(uri, client -> Startup.existing(client, uri.table(), uri.options(), System::nanoTime));
    }

    private static DynamoStore open(DynamoUri uri, Function<DynamoDbAsyncClient, Table> startup) {
        DynamoDbAsyncClient client = Clients.open(uri);
        try {
            return new DynamoStore(client, true, startup.apply(client));
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Opens a store with a client of the application, which stays open when the store is closed.
     *
     * @throws dev.semel.StoreException when the table cannot be reached, or its settings can lose acknowledged writes
     */
    public static DynamoStore on(DynamoDbAsyncClient client, String table, DynamoOptions options) {
        return on(client, table, options, System::nanoTime);
    }

    static DynamoStore on(DynamoDbAsyncClient client, String table, DynamoOptions options, LongSupplier nanos) {
        return new DynamoStore(client, false, Startup.table(client, table, options, nanos));
    }

    /** Closes the connections that it has opened itself; records stay. */
    @Override
    public void close() {
        if (ownsClient) {
            client.close();
        }
    }
}
