package dev.semel.server.cli;

import dev.semel.engine.Store;
import java.util.List;

/** The location of a store that a command works on. Its text contains no password. */
interface StoreLocation {

    /**
     * Opens an existing store: a command with a mistyped URI must not create an empty store.
     *
     * @param acceptUnsafeDurability whether to accept settings that can lose records
     */
    Store open(boolean acceptUnsafeDurability);

    /** Checks the server's settings for those that lose records. */
    List<CheckResult> check();
}
