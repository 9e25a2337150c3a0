package dev.semel.server.cli;

import dev.semel.engine.Store;
import java.util.List;

/** Where a store is, as the command line works on it. Its text has no password. */
interface Place {

    /**
     * Opens the store as it is: a command that meets a wrong name must not answer by creating an empty store there.
     *
     * @param acceptUnsafeDurability whether also settings will do that may lose records
     */
    Store open(boolean acceptUnsafeDurability);

    /** What its server's settings mean for records. */
    List<Finding> checkup();
}
