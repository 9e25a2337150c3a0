package dev.semel.engine;

import java.util.Set;

/**
 * Opens the stores of a kind that has a module of its own. Found by {@link java.util.ServiceLoader}: where the module is among
 * the dependencies, its URIs are understood wherever a store is named.
 */
public interface StoreProvider {

    /** What stands before the colon of its URIs. */
    Set<String> schemes();

    /**
     * Opens the store that a URI with one of these schemes names.
     *
     * @throws IllegalArgumentException when the URI is malformed; the message says what would be right, and no password
     * @throws dev.semel.StoreException when the store cannot be opened
     */
    Store open(String uri);
}
