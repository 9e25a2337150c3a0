package dev.semel.torture;

import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;

/** The store of a run, with access to the server below it. */
interface Backend extends AutoCloseable {

    Setup.Server kind();

    /** Where the application with this number finds the store. */
    String uriFor(int app);

    /** Where the store is found without anything in between. */
    String directUri();

    /** What lies between the application with this number and the store. */
    Optional<TcpProxy> proxy(int app);

    /** Lets the store stand still. */
    void pause() throws IOException, SQLException;

    void goOn() throws IOException, SQLException;

    /** Ends the server as the kernel would. */
    void kill() throws IOException, SQLException;

    /** Starts it again on the same files. */
    void restart() throws IOException, SQLException;

    /** How writes shared commits up to now, where the store can tell. */
    Optional<Sharing> sharing() throws SQLException;

    /** What can be moved from one server of the store to another while clients go on. */
    default Optional<Shards> shards() {
        return Optional.empty();
    }

    /** Parts of a store that lies on several servers. */
    interface Shards {

        /** Moves the part with this number to another server; any number will do. */
        void move(int number);
    }

    /** The cache in front of the store; no fault of it may change an answer. */
    default Optional<Front> front() {
        return Optional.empty();
    }

    @Override
    void close() throws IOException, SQLException;
}
