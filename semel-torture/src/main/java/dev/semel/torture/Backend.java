package dev.semel.torture;

import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;

/** The store of a run, and hands on what lies below it. */
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

    /** How writes shared commits up to now. */
    Sharing sharing() throws SQLException;

    @Override
    void close() throws IOException, SQLException;
}
