package dev.semel.torture;

import dev.semel.torture.net.TcpProxy;
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
    void pause() throws Exception;

    void goOn() throws Exception;

    /** Ends the server as the kernel would. */
    void kill() throws Exception;

    /** Starts it again on the same files. */
    void restart() throws Exception;

    @Override
    void close() throws Exception;
}
